const cardNumber =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;
/** Longer texts hold no number, whatever else stands between its digits. */
const longestText = 1024;

/** Whether the digits of a text are the number of a credit card; everything else in it is passed over. */
export function isCreditCardNumber(text: string): boolean {
  const digits = text.length > longestText ? '' : text.replace(/\D+/g, '');
  if (!cardNumber.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits.at(-1 - i));
    const weighted = i % 2 === 0 ? digit : digit * 2;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}

/** Whether a text is a book number of ten places; blanks and hyphens are passed over. */
export function isIsbn10(text: string): boolean {
  const places = bookNumberFrom(text);
  if (!/^\d{9}[\dX]$/.test(places)) return false;
  const sum = [...places].reduce((total, place, index) => total + (index + 1) * digitValue(place), 0);
  return sum % 11 === 0;
}

/** Whether a text is a book number of thirteen digits; blanks and hyphens are passed over. */
export function isIsbn13(text: string): boolean {
  const places = bookNumberFrom(text);
  if (!/^\d{13}$/.test(places)) return false;
  const sum = [...places].reduce(
    (total, place, index) => total + (index % 2 === 0 ? 1 : 3) * digitValue(place),
    0,
  );
  return sum % 10 === 0;
}

function bookNumberFrom(text: string): string {
  return text.length > longestText ? '' : text.replace(/[\t\n\f\r -]+/g, '');
}

function digitValue(place: string): number {
  return place === 'X' ? 10 : Number(place);
}

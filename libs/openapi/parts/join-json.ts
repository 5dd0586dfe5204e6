/** A member of a JSON object: its key, and its value as JSON text. */
export type JsonMember = readonly [key: string, json: string];

/** Joins encoded members to the text of an object. */
export function joinJson(members: readonly JsonMember[]): string {
  return `{${members.map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(',')}}`;
}

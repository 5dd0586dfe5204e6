/**
 * The members of a group, in an array that may change while it is walked.
 *
 * Writing to a member can end it or others, and can add members. A member removed during a walk leaves a hole; a member added
 * during a walk is not visited.
 */
export class LiveMembers<T extends { place: number }> {
  #members: (T | undefined)[] = [];
  #size = 0;
  #walks = 0;

  get size(): number {
    return this.#size;
  }

  add(member: T): void {
    member.place = this.#members.length;
    this.#members.push(member);
    this.#size++;
  }

  remove(member: T): void {
    if (this.#members[member.place] !== member) return;
    this.#members[member.place] = undefined;
    this.#size--;
    if (this.#walks === 0) this.#closeHoles();
  }

  /** Calls back for every current member that has not been removed before its visit. */
  walk(visitor: (member: T) => void): void {
    const members = this.#members;
    const count = members.length;
    this.#walks++;
    for (let i = 0; i < count; i++) {
      const member = members[i];
      if (member !== undefined) visitor(member);
    }
    this.#walks--;
    if (this.#walks === 0) this.#closeHoles();
  }

  #closeHoles(): void {
    // The number of holes is bounded by the number of members and by 1,024: a removal costs amortized constant time.
    if (this.#members.length <= 2 * this.#size && this.#members.length - this.#size < 1024) return;
    this.#members = this.#members.filter(member => member !== undefined);
    this.#members.forEach((member, place) => {
      if (member !== undefined) member.place = place;
    });
  }
}

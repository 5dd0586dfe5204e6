/** A path that the server has nothing under: answered with a plain text page, not with a Status. */
export class PageNotFound extends Error {
  constructor() {
    super('404 page not found');
    this.name = 'PageNotFound';
  }
}

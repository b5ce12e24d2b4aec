/**
 * The URL path and name of the sample file that an empty queue offers. Its pictures come with the app, so the file has
 * their paths; `sampleAt` makes addresses of them.
 */
export const sampleFile = { path: '/sample/home-decor-manifest.csv', filename: 'home-decor-manifest.csv' };

/** The text of the sample file as it is uploaded: with its pictures at an origin. */
export function sampleAt(origin: string, text: string): string {
  return text.replaceAll(',/sample/', `,${origin}/sample/`);
}

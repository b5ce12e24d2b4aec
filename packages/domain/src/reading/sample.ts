/** The sample file that an empty queue offers. In its text, pictures have addresses without an origin. */
export const sampleFile = { path: '/sample/home-decor-manifest.csv', filename: 'home-decor-manifest.csv' };

/** Returns the sample file's text for an upload, with its pictures at the given origin. */
export function resolveSamplePictures(origin: string, text: string): string {
  return text.replaceAll(',/sample/', `,${origin}/sample/`);
}

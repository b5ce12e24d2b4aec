/** The sample file that is offered while there are no imports. The picture addresses in its text have no origin. */
export const sampleFile = { path: '/sample/home-decor-manifest.csv', filename: 'home-decor-manifest.csv' };

/** Returns the sample file's text for an upload, with its pictures at the given origin. */
export function resolveSamplePictures(origin: string, text: string): string {
  return text.replaceAll(',/sample/', `,${origin}/sample/`);
}

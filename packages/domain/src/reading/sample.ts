/** The sample file that an empty queue offers; `sampleAt` makes addresses of its pictures' paths. */
export const sampleFile = { path: '/sample/home-decor-manifest.csv', filename: 'home-decor-manifest.csv' };

/** The text of the sample file as it is uploaded: with its pictures at an origin. */
export function sampleAt(origin: string, text: string): string {
  return text.replaceAll(',/sample/', `,${origin}/sample/`);
}

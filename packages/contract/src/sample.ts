/**
 * The URL path and name of the sample file that an empty queue offers. Its pictures come with the app: they are paths, which
 * become addresses of the app's own origin when the file is uploaded.
 */
export const sampleFile = { path: '/sample/home-decor-manifest.csv', filename: 'home-decor-manifest.csv' };

/** The URL path and name of the sample file that an empty queue offers. */
export const sampleFile = { path: '/sample/home-decor-manifest.csv', filename: 'home-decor-manifest.csv' };

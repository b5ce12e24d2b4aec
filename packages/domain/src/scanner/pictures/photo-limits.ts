/** The specification's limit of 10 MB. */
export const photoBytesMax = 10_485_760;
export const photoTooLarge = 'The photo is larger than 10 MB.';

/** Shopify's limit of product pictures (help.shopify.com, product media types): 25 megapixels. */
export const picturePixelsMax = 25_000_000;

/** The longest side in pixels: the limit of WebP, and browsers draw it. */
export const photoSideMax = 16_384;

/** Segments and chunks of a picture. A photo of 10 MB has a few thousand: encoders write pieces of some kilobytes. */
export const picturePartsMax = 50_000;

/** The maximum size of a photo: 10 MB. */
export const photoBytesMax = 10_485_760;
export const photoTooLargeSentence = 'The photo is larger than 10 MB.';

/** Shopify's limit for product pictures (help.shopify.com, product media types): 25 megapixels. */
export const picturePixelsMax = 25_000_000;

/** The longest side in pixels. It is the limit of WebP, and browsers can draw it. */
export const photoSideMax = 16_384;

/** The most segments or chunks of a picture. A photo of 10 MB has a few thousand, each with some kilobytes. */
export const picturePartsMax = 50_000;

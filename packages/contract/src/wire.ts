// Names and limits of requests and replies besides paths: headers, form fields, codes. It needs no schemas.

/**
 * The header with the random id of a browser, which the web sends with changes and with reads that show authors. It
 * says whose commands a browser may undo with a key, and is no credential. A request without a valid one is a call.
 */
export const browserHeader = 'x-draftshelf-browser';

/** Response header of every reply: the build of the web that the server serves; absent if it serves none. */
export const buildHeader = 'x-draftshelf-build';

/** Name of the page's <meta> with its build. */
export const buildMeta = 'draftshelf-build';

/** Response header of the queue list: the total number of imports. */
export const totalCountHeader = 'x-total-count';

/** Response header of the queue list: the `before` of the next page of older imports; absent if there is none. */
export const nextBeforeHeader = 'x-next-before';

/** The names of the multipart field for the file. The specification uses both. */
export const uploadFileFields = ['csv', 'csvFile'] as const;

/** The multipart field of POST /api/upload with a DialectChoice as JSON. It must come before the file. */
export const uploadDialectField = 'dialect';

/** The multipart field of POST /api/upload with a MappingChoice as JSON. It must come before the file. */
export const uploadMappingField = 'mapping';

/** The multipart field of POST /api/upload with ReadingAnswers as JSON. It must come before the file. */
export const uploadReadingsField = 'readings';

/** Multipart field of POST /api/upload: a supplier's id, 'new', or '' for none. Absent: it is detected. */
export const uploadSupplierField = 'supplier';
export const newSupplier = 'new';

/** The multipart field of POST /api/upload with the name of a new supplier. */
export const uploadSupplierNameField = 'supplierName';

/** The multipart field of POST /api/upload with the time when the file was changed last, in ISO 8601. */
export const uploadFileDateField = 'fileDate';

/** The most rows of a file by which its supplier is found before the upload. */
export const sampledItemsMax = 500;

/** The <meta> name with which the page passes CSV_BYTES_MAX: index.html has the default, the api sets its own value. */
export const fileBytesMaxMeta = 'csv-bytes-max';

/** The specification's message for a file with fewer than two records, in the preview and from the api. */
export const tooFewRecordsMessage = 'CSV file must have at least a header row and one data row';

/** Set a column's field to this to have it detected again. */
export const detectField = 'detect';

/** `selectedBatch` without an import. */
export const noBatch = 'none';

/** The code of the 409 for a product that the store has under another id. `current` is an `InStore`. */
export const inStoreCode = 'in_store';

/** The `code` of a refused undo that cannot succeed later: there is nothing left to undo. */
export const nothingToUndoCode = 'nothing_to_undo';

/** The most rows of a product in one reply. */
export const listedProductRowsMax = 250;

/** At most this many proposals are decided by one call. */
export const proposalsDecidedMax = 2_000;

/** The most rows that a target names by number. */
export const targetRowsMax = 2_000;

/** The length of an address, name, token, key or secret that an operator enters. */
export const enteredCharsMax = 500;

/** The length of an id, an address or a name in the registration of an app. */
export const registrationCharsMax = 400;

/** The data of a shop that is not known, as the store's reply has them. */
export const unknownShop = {
  name: null,
  domain: null,
  myshopify_domain: null,
  currency: null,
  plan_name: null,
  email: null,
  push_pace: null,
  total_products: null,
};

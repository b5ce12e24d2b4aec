// Names and limits of requests and replies besides paths: headers, form fields, codes. Imports no schemas.

/**
 * The header with a browser's random id. The web sends it with changes and with reads that show authors. A keyboard
 * shortcut undoes only the browser's own commands. The id is no credential. Without a valid id, the author is `call`.
 */
export const browserHeader = 'x-draftshelf-browser';

/** Response header with the build of the web that the server serves. Absent if the server serves none. */
export const buildHeader = 'x-draftshelf-build';

/** Name of the page's <meta> with the page's build. */
export const buildMeta = 'draftshelf-build';

/** Response header of lists: the total number of entries. */
export const totalCountHeader = 'x-total-count';

/** Response header of lists: the `before` of the next page. Absent on the last page. */
export const nextBeforeHeader = 'x-next-before';

/** The names that the multipart field with the file can have. */
export const uploadFileFields = ['csv', 'csvFile'] as const;

/** The multipart field of POST /api/upload with a DialectChoice as JSON. Must come before the file. */
export const uploadDialectField = 'dialect';

/** The multipart field of POST /api/upload with a MappingChoice as JSON. Must come before the file. */
export const uploadMappingField = 'mapping';

/** The multipart field of POST /api/upload with ReadingAnswers as JSON. Must come before the file. */
export const uploadReadingsField = 'readings';

/** The multipart field of POST /api/upload with a supplier's id, 'new', or '' for none. Detected if absent. */
export const uploadSupplierField = 'supplier';
export const newSupplier = 'new';

/** The multipart field of POST /api/upload with the name of a new supplier. */
export const uploadSupplierNameField = 'supplierName';

/** The multipart field of POST /api/upload with the file's last change, in ISO 8601. */
export const uploadFileDateField = 'fileDate';

/** Maximum number of rows that are sent before an upload to find the file's supplier. */
export const sampledItemsMax = 500;

/** Name of the page's <meta> with CSV_BYTES_MAX. index.html has the default; the api sets its own value. */
export const fileBytesMaxMeta = 'csv-bytes-max';

/** The message for a file with fewer than two records. Preview and api share it. */
export const tooFewRecordsMessage = 'CSV file must have at least a header row and one data row';

/** The value that resets a column's field to the detected one. */
export const detectFieldValue = 'detect';

/** The value of `selectedBatch` for no import. */
export const noBatch = 'none';

/** The code of the 409 for a product that the store has under another id. `current` is that product. */
export const inStoreCode = 'in_store';

/** The code of the 409 for an undo that can never succeed, because there is nothing left to undo. */
export const nothingToUndoCode = 'nothing_to_undo';

export const listedProductRowsMax = 250;

export const proposalsDecidedMax = 2_000;

/** The most rows that a target lists by number. */
export const targetRowsMax = 2_000;

/** The most characters of an address, name, token, key or secret that an operator enters. */
export const enteredCharsMax = 500;

/** The most characters of an id, address or name in an app registration. */
export const registrationCharsMax = 400;

/** The shop's data in replies about the store, if the shop is unknown. */
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

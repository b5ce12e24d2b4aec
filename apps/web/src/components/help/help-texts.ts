/** What the help tooltips say; the topics are those of product-spec section 1. */
export const helpTexts = {
  'file upload':
    'Choose or drop a CSV file of up to 50MB. It is stored as it is and checked before anything reaches the store.',
  'field mapping':
    'Columns are recognised by their headers: 40+ header variations are mapped to title, price, SKU, UPC and the other fields.',
  'AI validation':
    'Checks each row for a title and a numeric price, and completes it from what the row itself holds.',
  'UPC lookup':
    'For images and facts that a row with a valid UPC lacks. This version takes the image from the row itself; outside sources are not asked yet.',
  'draft mode': 'Products are created as drafts, so that nothing is on sale before someone has looked at it.',
  'batch processing':
    'Products are sent to the store in batches, so that a long import can be paused in between.',
  'inventory sync':
    'Reads quantities and statuses from the store into our copy. It never writes to the store.',
  'error handling':
    'A row with a fault never stops the others. What may succeed later is tried again; the rest is listed with its cause.',
  'progress tracking':
    'The bar shows how far the current stage is. It is read from the database every two seconds.',
  'store integration': 'Draftshelf creates and updates products through the Shopify Admin API of one store.',
} as const;

export type HelpTopic = keyof typeof helpTexts;

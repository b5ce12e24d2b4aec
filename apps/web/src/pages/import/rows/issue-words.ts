import type { IssueFilter } from '@draftshelf/contract/rows';

/** In display order, the broadest first. */
export const issueWords: Record<IssueFilter, string> = {
  any: 'Any',
  'left-out': 'Left out of the push',
  duplicate: 'Duplicate',
  'in-other-import': 'In another import',
  'title-missing': 'No title',
  'price-missing': 'No price',
  'price-not-numeric': 'Invalid price',
  'other-currency': 'Other currency',
  'price-zero': 'Price 0',
  'price-repeated': 'Price repeated',
  'quantity-not-numeric': 'Invalid quantity',
  'quantity-negative': 'Negative quantity',
  'title-too-long': 'Title too long',
  'brand-too-long': 'Brand too long',
  'type-too-long': 'Type too long',
  'tag-too-long': 'Tag too long',
  'sku-too-long': 'SKU too long',
  'upc-too-long': 'UPC too long',
  'option-too-long': 'Option too long',
  'upc-check-digit': 'Invalid UPC',
  'upc-digits-lost': 'Rounded UPC',
  'bad-quote': 'Mismatched quotes',
  'unclosed-quote': 'Unclosed quote',
  'invalid-utf8': 'Unreadable characters',
  nul: 'Null bytes',
  'lone-cr': 'Line break in cell',
  'mixed-line-ends': 'Mixed line breaks',
  'too-few-cells': 'Too few cells',
  'too-many-cells': 'Too many cells',
  'extra-separator': 'Extra separator',
  'missing-separator': 'Missing separator',
};
/** All filters by issue, in display order. */
export const issueFilters = Object.keys(issueWords) as IssueFilter[];

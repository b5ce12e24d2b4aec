import type { IssueFilter, Row } from '@draftshelf/contract/review/rows';
import { Text } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { importPath } from '../../lib/paths.ts';
import { ClockTime, PageLink } from '../../ui/basics.tsx';

type Issue = Row['issues'][number];

export const IssueText = ({ issue }: { issue: Issue }) => (
  <>
    {issue.message} <OtherImport issue={issue} />
  </>
);

export const OtherImport = ({ issue: { other } }: { issue: Issue }) =>
  other === undefined ? null : (
    <>
      <PageLink to={importPath(other.id)} inherit>
        View Import
      </PageLink>
      , checked <ClockTime time={other.foundAt} />
    </>
  );

export const LeftOutMark = () => (
  <Text span size="xs" fw={550} c="var(--text-warning)" style={{ whiteSpace: 'nowrap' }}>
    <IconBan size={14} aria-hidden style={{ verticalAlign: '-2px' }} /> Left out of the push
  </Text>
);

/** In display order, broadest first. */
export const issueWords: Record<IssueFilter, string> = {
  any: 'Any',
  refused: 'Can’t be pushed',
  check: 'Worth a look',
  'left-out': 'Left out of the push',
  totals: 'Total of the list',
  duplicate: 'Duplicate',
  'in-other-import': 'In another import',
  'unknown-product': 'Not in an earlier list',
  'title-missing': 'No title',
  'price-missing': 'No price',
  'price-not-numeric': 'Invalid price',
  'other-currency': 'Other currency',
  'price-zero': 'Price 0',
  'price-repeated': 'Price repeated',
  'parent-without-price': 'Price in its variants',
  'third-decimal': 'Third decimal',
  'price-of-several': 'Price of several pieces',
  'amount-inferred': 'Read in one of two ways',
  'compare-at-below-price': 'Compare-at below price',
  'cost-above-price': 'Cost to check',
  'guard-cost': 'Too close to cost',
  'guard-column': 'Below guarded column',
  'guard-change': 'Changed too much',
  'quantity-not-numeric': 'Invalid quantity',
  'quantity-negative': 'Negative quantity',
  'quantity-loose': 'Quantity in words',
  'quantity-missing': 'No quantity',
  'value-unread': 'Value not sent',
  'title-too-long': 'Title too long',
  'brand-too-long': 'Brand too long',
  'type-too-long': 'Type too long',
  'tag-too-long': 'Tag too long',
  'sku-too-long': 'SKU too long',
  'upc-too-long': 'UPC too long',
  'option-too-long': 'Option too long',
  'too-many-tags': 'Too many tags',
  'upc-check-digit': 'Invalid UPC',
  'upc-digits-lost': 'Rounded UPC',
  'upc-two-codes': 'Several UPCs',
  'image-invalid': 'Invalid image',
  'image-page': 'Page, not an image',
  'same-options': 'Same options twice',
  'formula-error': 'Formula error',
  'formula-not-calculated': 'Formula not calculated',
  'made-a-date': 'Became a date or number',
  'text-cleaned': 'Cleaned text',
  'text-garbled': 'Garbled text',
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
export const issueFilters = Object.keys(issueWords) as IssueFilter[];

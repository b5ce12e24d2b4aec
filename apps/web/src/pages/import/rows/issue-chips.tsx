import type { IssueFilter, RowFacets } from '@draftshelf/contract/rows';
import { Text } from '@mantine/core';
import { Button } from '../../../components/button.tsx';
import { countOf, formatCount } from '../../../lib/intl.ts';
import classes from './rows.module.css';

/** In display order, the broadest first. */
export const issueWords: Record<IssueFilter, string> = {
  any: 'Any',
  duplicate: 'Duplicate',
  'in-other-import': 'In another import',
  'title-missing': 'No title',
  'price-missing': 'No price',
  'price-not-numeric': 'Invalid price',
  'other-currency': 'Other currency',
  'price-repeated': 'Price repeated',
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
const issueFilters = Object.keys(issueWords) as IssueFilter[];

export type IssuesProps = {
  current: IssueFilter | undefined;
  facets: RowFacets;
  onIssue: (name: IssueFilter) => void;
};

/** A button per issue that rows have, with its count. */
export function IssueChips({ current, facets, onIssue }: IssuesProps) {
  const issues = issueFilters.filter((name) => facets.issues[name] !== undefined || name === current);
  return (
    <>
      {issues.length === 0 && (
        <Text size="sm" c="dimmed" span>
          None
        </Text>
      )}
      {issues.map((name) => (
        <Button
          key={name}
          className={classes.chip}
          variant={current === name ? 'filled' : 'default'}
          aria-pressed={current === name}
          rightSection={<span className="numbers">{formatCount(facets.issues[name] ?? 0)}</span>}
          onClick={() => onIssue(name)}
        >
          {issueWords[name]}
        </Button>
      ))}
      {facets.ignored > 0 && (
        <Text size="xs" c="dimmed" span>
          {countOf(facets.ignored, 'row')} ignored
        </Text>
      )}
    </>
  );
}

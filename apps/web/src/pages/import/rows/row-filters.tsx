import type { IssueFilter, RowFacets } from '@draftshelf/contract/rows';
import { type RowClass, rowClasses } from '@draftshelf/domain/row-rule';
import { Button, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { rowClassLooks } from '../../../components/import/status-look.ts';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { searchFieldMark } from '../../../lib/search-field.ts';
import classes from '../import.module.css';
import { type RowsAddress, searchTextOf } from './rows-address.ts';

const classWords: Record<RowClass, string> = { valid: 'Valid', warning: 'Warning', error: 'Error' };

/** In display order, the broadest first. */
const issueWords: Record<IssueFilter, string> = {
  any: 'Any issue',
  duplicate: 'Duplicate',
  'title-missing': 'No title',
  'price-missing': 'No price',
  'price-not-numeric': 'Invalid price',
  'title-too-long': 'Title too long',
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

type RowFiltersProps = {
  address: RowsAddress;
  facets: RowFacets;
  totalRows: number;
  onFilter: (filter: Pick<RowsAddress, 'class' | 'issue'>) => void;
};

/** Filter chips for classes and issues, each with its count. One class and one issue can be active. */
export function RowFilters({ address, facets, totalRows, onFilter }: RowFiltersProps) {
  const { class: ofClass, issue } = address;
  const issues = issueFilters.filter((name) => facets.issues[name] !== undefined || name === issue);
  const kept = {
    ...(ofClass === undefined ? {} : { class: ofClass }),
    ...(issue === undefined ? {} : { issue }),
  };
  const without = (name: 'class' | 'issue') =>
    Object.fromEntries(Object.entries(kept).filter(([key]) => key !== name));
  return (
    <fieldset className={classes.filters} aria-label="Filter rows">
      <Chip
        word="All"
        count={totalRows}
        pressed={ofClass === undefined && issue === undefined}
        onPress={() => onFilter({})}
      />
      {rowClasses.map((name) => (
        <Chip
          key={name}
          word={classWords[name]}
          look={rowClassLooks[name]}
          count={facets.classes[name]}
          pressed={ofClass === name}
          onPress={() => onFilter(ofClass === name ? without('class') : { ...kept, class: name })}
        />
      ))}
      {issues.map((name) => (
        <Chip
          key={name}
          word={issueWords[name]}
          count={facets.issues[name] ?? 0}
          pressed={issue === name}
          onPress={() => onFilter(issue === name ? without('issue') : { ...kept, issue: name })}
        />
      ))}
      {facets.ignored > 0 && (
        <Text size="xs" c="dimmed" className={classes.ignored}>
          {countOf(facets.ignored, 'row')} ignored
        </Text>
      )}
    </fieldset>
  );
}

type ChipProps = {
  word: string;
  count: number;
  pressed: boolean;
  look?: (typeof rowClassLooks)[RowClass];
  onPress: () => void;
};

function Chip({ word, count, pressed, look, onPress }: ChipProps) {
  return (
    <Button
      className={classes.chip}
      variant={pressed ? 'filled' : 'default'}
      aria-pressed={pressed}
      leftSection={look && <look.icon size={14} aria-hidden />}
      rightSection={<span className="numbers">{formatCount(count)}</span>}
      onClick={onPress}
    >
      {word}
    </Button>
  );
}

/** The search starts after this pause in typing. */
const typingPauseMs = 300;

type RowSearchProps = { current: string; onSearch: (current: string) => void };

/** The search field. It searches while typing, at once on Enter; Esc clears it. */
export function RowSearch({ current, onSearch }: RowSearchProps) {
  const [text, setText] = useState(current);
  const [known, setKnown] = useState(current);
  // The URL changed from outside the field: by Back or 'Clear Filters'.
  if (current !== known) {
    setKnown(current);
    if (current !== searchTextOf(text)) setText(current);
  }
  const search = (typed: string) => {
    if (searchTextOf(typed) !== current) onSearch(searchTextOf(typed));
  };
  const searchSoon = useDebouncedCallback(search, typingPauseMs);
  const type = (typed: string) => {
    setText(typed);
    searchSoon(typed);
  };
  const tooShort = text.trim() !== '' && searchTextOf(text) === '';
  return (
    <TextInput
      {...searchFieldMark}
      className={classes.search}
      type="search"
      aria-label="Search rows"
      placeholder="Search title, SKU, UPC, brand…"
      description={tooShort ? 'Type at least 3 characters.' : undefined}
      inputWrapperOrder={['label', 'input', 'description']}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') search(text);
        if (event.key === 'Escape') type('');
      }}
    />
  );
}

import { Loader, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { searchFieldMark } from '../../../lib/search-field.ts';
import classes from './rows.module.css';
import { searchTextOf } from './rows-address.ts';

/** The search starts after this pause in typing. */
const typingPauseMs = 150;

type RowSearchProps = {
  current: string;
  /** The rows of this search have not arrived yet. */
  isSearching: boolean;
  onSearch: (current: string) => void;
};

/** The search field. It searches while typing, at once on Enter; Esc clears it. */
export function RowSearch({ current, isSearching, onSearch }: RowSearchProps) {
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
    <div className={classes.search}>
      <TextInput
        {...searchFieldMark}
        type="search"
        aria-label="Search rows"
        placeholder="Search rows"
        title="Searches title, SKU, UPC, brand and item number"
        leftSection={
          isSearching ? <Loader size={14} className={classes.late} /> : <IconSearch size={16} aria-hidden />
        }
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') search(text);
          if (event.key === 'Escape') type('');
        }}
      />
      <div role="status" className={classes.hint} data-shown={tooShort || undefined}>
        {tooShort && 'Type at least 3 characters.'}
      </div>
    </div>
  );
}

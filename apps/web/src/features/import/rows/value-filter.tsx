import type { Row } from '@draftshelf/contract/review/rows';
import { CloseButton } from '@mantine/core';
import { IconListSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useOfferedActions } from '../../../ui/actions/offered-actions.ts';
import { Button } from '../../../ui/button.tsx';
import { useScreenKey } from '../../../ui/hooks/use-screen-key.ts';
import { overlay } from '../../../ui/later.tsx';
import { fieldValueWords } from '../mapping/field-value-words.ts';
import type { RowsAddress } from '../rows-address.ts';
import classes from './rows.module.css';

const ValueDrawer = overlay(() => import('./value-drawer.tsx').then((chunk) => chunk.ValueDrawer));

type ValueFilterProps = {
  importId: string;
  address: RowsAddress;
  /** The rows of the page. */
  rows: readonly Row[];
  /** Null: rows with any value. */
  onValue: (value: string | null) => void;
};

/** Filters by the value of a field. The values are listed with their counts when the drawer is opened. */
export function ValueFilter({ importId, address, rows, onValue }: ValueFilterProps) {
  const [opened, setOpened] = useState(false);
  const { value } = address;
  useScreenKey('v', () => setOpened(true));
  useOfferedActions([{ label: 'Filter by Value…', key: 'v', reason: null, act: () => setOpened(true) }]);
  const words = value === undefined ? 'Values' : fieldValueWords(value);
  return (
    <div className={classes.values} data-filtered={value !== undefined || undefined}>
      <Button
        variant={value === undefined ? 'default' : 'filled'}
        size="compact-md"
        title={value === undefined ? 'Filter by value' : words}
        aria-label={value === undefined ? 'Values' : `Values, ${words}`}
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      >
        <IconListSearch size={16} aria-hidden />
        <span className={classes.valueWords} dir="auto">
          {words}
        </span>
      </Button>
      {value !== undefined && (
        <CloseButton
          variant="default"
          size={28}
          aria-label="Show rows with any value"
          title="Show rows with any value"
          onClick={() => onValue(null)}
        />
      )}
      <ValueDrawer {...{ importId, address, rows, opened, onValue }} onClose={() => setOpened(false)} />
    </div>
  );
}

import type { Row } from '@draftshelf/contract/review/rows';
import {
  fieldValueText,
  parseFieldValue,
  type ValueField,
  valueFields,
} from '@draftshelf/domain/base/field-value';
import { Drawer, Select, Stack } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { formatCount } from '../../../lib/intl.ts';
import { useNarrow } from '../../../ui/hooks.ts';
import { fieldOfIssue, fieldWithValues } from '../bulk-edit/chosen-rows.ts';
import { LoadedValues } from '../bulk-edit/values-panel.tsx';
import { fieldLabel } from '../mapping/mapping-words.ts';
import type { RowsAddress } from '../rows-address.ts';
import type { ValuesFilter } from '../rows-api.ts';
import classes from './rows.module.css';

type ValueDrawerProps = {
  importId: string;
  address: RowsAddress;
  rows: readonly Row[];
  opened: boolean;
  onClose: () => void;
  onValue: (value: string | null) => void;
};

const fields = valueFields.map((field) => ({ value: field, label: fieldLabel(field) }));

export function ValueDrawer({ importId, address, rows, opened, onClose, onValue }: ValueDrawerProps) {
  const narrow = useNarrow();
  const { class: ofClass, issue, outcome, change, q, value: current = '' } = address;
  /** Holds until another issue is filtered by, whose field comes first then. */
  const [selected, setSelected] = useState<{ issue: string | undefined; field: ValueField } | null>(null);
  const begin = parseFieldValue(current)?.field ?? fieldOfIssue(rows, issue) ?? fieldWithValues(rows);
  const field = selected?.issue === issue ? (selected?.field ?? begin) : begin;
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position={narrow ? 'bottom' : 'right'}
      size={narrow ? '85dvh' : 'md'}
      title="Filter by value"
    >
      <Stack gap="sm">
        <Select
          label="Field"
          data={fields}
          value={field}
          allowDeselect={false}
          comboboxProps={{ withinPortal: true }}
          onChange={(name) => name !== null && setSelected({ issue, field: name as ValueField })}
        />
        <Values
          key={field}
          {...{ importId, field, current }}
          filter={{ class: ofClass, issue, outcome, change, q }}
          onValue={(text) => {
            onClose();
            onValue(text === current ? null : text);
          }}
        />
      </Stack>
    </Drawer>
  );
}

type ValuesProps = {
  importId: string;
  field: ValueField;
  filter: ValuesFilter;
  current: string;
  onValue: (value: string) => void;
};

function Values({ importId, field, filter, current, onValue }: ValuesProps) {
  return (
    <LoadedValues {...{ importId, field, filter }} height={320}>
      {({ empty, values }) => (
        <ul
          ref={focusFirst}
          className="list"
          aria-label={`Values of ${fieldLabel(field)}`}
          onKeyDown={moveBetweenValues}
        >
          {[...(empty > 0 ? [{ value: '', rows: empty }] : []), ...values].map(({ value, rows }, at) => {
            const text = fieldValueText({ field, value });
            return (
              <li key={value}>
                <button
                  type="button"
                  className={`${classes.choice} center size-sm full flex gap-sm between`}
                  aria-pressed={text === current}
                  tabIndex={at === 0 ? 0 : -1}
                  data-value
                  onClick={() => onValue(text)}
                >
                  <span
                    className={`ellipsis ${classes.exact} pre`}
                    dir="auto"
                    data-empty={value === '' || undefined}
                  >
                    {value || 'empty'}
                  </span>
                  <span className="numbers">{formatCount(rows)}</span>
                </button>
              </li>
            );
          })}
        </ul>
      )}
    </LoadedValues>
  );
}

/** One Tab stop: the arrow keys move between the values. */
function moveBetweenValues(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const values = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-value]')];
  const at = values.indexOf(document.activeElement as HTMLElement);
  const next = values[at + (event.key === 'ArrowDown' ? 1 : -1)];
  if (at === -1 || next === undefined) return;
  event.preventDefault();
  next.focus();
}

/** Unless the operator chooses a field meanwhile. */
function focusFirst(list: HTMLElement | null): void {
  if (document.activeElement instanceof HTMLInputElement) return;
  list?.querySelector<HTMLElement>('[data-value]')?.focus();
}

import type { EditTarget } from '@draftshelf/contract/commands';
import type { RowPage } from '@draftshelf/contract/rows';
import { outcomeWords } from '../../../components/import/status-badge.tsx';
import { countOf } from '../../../lib/intl.ts';
import { isFiltered, type RowsAddress } from '../rows/rows-address.ts';

/** The rows that a change is about. */
export type ChosenRows = {
  target: EditTarget;
  /** Null: a search has not counted them. */
  count: number | null;
};

type Shown = {
  address: RowsAddress;
  page: Pick<RowPage, 'run' | 'matching' | 'facets' | 'totalRows'>;
  ticked: ReadonlySet<number>;
};

/** The ticked rows; without ticks those that are filtered, or all. A sentence if they can't be changed together. */
export function chosenRows({ address, page, ticked }: Shown): ChosenRows | string {
  if (ticked.size > 0) {
    const rows = [...ticked].sort((a, b) => a - b);
    return { target: { rows, run: page.run }, count: ticked.size };
  }
  const { class: ofClass, issue, outcome, value, q } = address;
  if (outcome !== undefined) {
    return `Rows can’t be changed by outcome. Tick them, or choose another filter than “${outcomeWords[outcome]}”.`;
  }
  const count = isFiltered(address) ? page.matching : page.totalRows - page.facets.ignored;
  if (count === 0) return 'There are no rows to change.';
  const target = {
    ...(ofClass === undefined ? {} : { class: ofClass }),
    ...(issue === undefined ? {} : { issue }),
    ...(q === undefined ? {} : { q }),
    ...(value === undefined ? {} : { value }),
  };
  return { target, count };
}

/** 'Change 12,004 Rows…'. */
export const changeLabel = ({ count }: ChosenRows): string =>
  count === null ? 'Change Rows Found…' : `Change ${countOf(count, 'Row')}…`;

import { isMetafieldField } from '@draftshelf/domain/base/metafields';
import { Checkbox, type DrawerProps, Group } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconMinus, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { IconButton, PlainButton, QuietText } from '../../../ui/basics.tsx';
import { SideDrawer } from '../../../ui/overlays.tsx';
import {
  columnName,
  emptyColumnChoice,
  findColumnRem,
  moveColumn,
  type ShownColumn,
  type ShownTable,
  saveColumnChoice,
  saveColumnWidth,
  selectShownColumns,
  setColumnShown,
  standardColumns,
  toFileColumn,
  useColumnChoice,
} from './row-columns.ts';
import classes from './rows.module.css';
import { useRowsReview } from './rows-review.ts';

const widthStepRem = 1;

export function ColumnsDrawer({
  table,
  ...drawer
}: { table: ShownTable } & Pick<DrawerProps, 'opened' | 'onClose'>) {
  const { page } = useRowsReview();
  const shown = selectShownColumns(table.columns);
  const isInFile = (column: ShownColumn) => table.has.has(column);
  const metafields = [...table.has].filter(isMetafieldField);
  const hidden = [...standardColumns, ...metafields].filter((column) => !shown.includes(column));
  const cells = [...new Set(page.headers)].map(toFileColumn).filter((column) => !shown.includes(column));
  return (
    <SideDrawer {...drawer} size="sm" title="Columns">
      <QuietText mb="sm">
        Applies to all imports with these columns, in this browser. Columns that don’t fit scroll sideways.
      </QuietText>
      <Columns name="Columns" columns={[...shown, ...hidden.filter(isInFile)]} shown={shown} />
      <Folded
        name="Fields that this file lacks"
        columns={hidden.filter((column) => !isInFile(column) && column !== 'outcome')}
        shown={shown}
      />
      <Folded name="Columns of the file, as they are" columns={cells} shown={shown} />
      <PlainButton mt="md" onClick={() => saveColumnChoice(emptyColumnChoice)}>
        Choose Automatically
      </PlainButton>
    </SideDrawer>
  );
}

type ColumnsProps = { name: string; columns: readonly ShownColumn[]; shown: readonly ShownColumn[] };

const Columns = ({ name, columns, shown }: ColumnsProps) => (
  <ul className="list stack" aria-label={name}>
    {columns.map((column) => (
      <Column key={column} column={column} shown={shown} />
    ))}
  </ul>
);

/** Renders the columns only when opened, because a file may have 2,000 of them. */
function Folded(columns: ColumnsProps) {
  const [isOpened, setOpened] = useState(false);
  if (columns.columns.length === 0) return null;
  return (
    <details onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary className={`${classes.fold} size-sm`}>{columns.name}</summary>
      {isOpened && <Columns {...columns} />}
    </details>
  );
}

function Column({ column, shown }: Pick<ColumnsProps, 'shown'> & { column: ShownColumn }) {
  const { id } = useRowsReview().record;
  const choice = useColumnChoice();
  const name = columnName(column);
  const width = choice.rem[column] ?? findColumnRem(column) ?? titleRem;
  const at = shown.indexOf(column);
  const press = (label: string, Icon: typeof IconPlus, act: (() => void) | null) => (
    <IconButton
      icon={Icon}
      size={28}
      label={`${label}: ${name}`}
      title={label}
      disabled={act === null}
      onClick={() => act?.()}
    />
  );
  const move = (by: -1 | 1) => () => saveColumnChoice(moveColumn(choice, shown, column, by));
  return (
    <li className={`row ${classes.column} between`}>
      <Checkbox
        label={name}
        checked={at !== -1}
        disabled={column === 'title'}
        onChange={(event) =>
          saveColumnChoice(setColumnShown(choice, column, event.currentTarget.checked, id))
        }
      />
      {at !== -1 && (
        <Group gap={2} wrap="nowrap">
          {press('Move left', IconArrowUp, at > 0 ? move(-1) : null)}
          {press('Move right', IconArrowDown, at < shown.length - 1 ? move(1) : null)}
          {press('Narrower', IconMinus, () => saveColumnWidth(column, width - widthStepRem))}
          {press('Wider', IconPlus, () => saveColumnWidth(column, width + widthStepRem))}
        </Group>
      )}
    </li>
  );
}

/** Approximate width in rem of a title column whose width the operator has not chosen. */
const titleRem = 20;

import { Checkbox, Drawer, Group, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconMinus, IconPlus } from '@tabler/icons-react';
import { ActionIcon, Button } from '../../../ui/button.tsx';
import { useNarrow } from '../../../ui/hooks/use-narrow.ts';
import { keepChoice, keepWidth, noChoice, useColumnChoice, withMoved, withShown } from './column-choice.ts';
import { columnName, remOf } from './row-columns.ts';
import classes from './row-drawers.module.css';
import { type ShownColumn, shownColumns } from './shown-columns.ts';

type ColumnsDrawerProps = {
  /** The columns that are shown now, in order. */
  shown: readonly ShownColumn[];
  opened: boolean;
  onClose: () => void;
};

/** How much wider or narrower a press makes a column, in rem. */
const widthStepRem = 1;

/** Chooses the columns of the table, their order and widths, for all imports in this browser. */
export function ColumnsDrawer({ shown, opened, onClose }: ColumnsDrawerProps) {
  const narrow = useNarrow();
  const choice = useColumnChoice();
  const { rem } = choice;
  const keep = (columns: readonly ShownColumn[]) => keepChoice({ ...choice, columns });
  const hidden = shownColumns.filter((column) => !shown.includes(column));
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position={narrow ? 'bottom' : 'right'}
      size={narrow ? '85dvh' : 'sm'}
      title="Columns"
      attributes={{ header: { role: 'presentation' } }}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 120 }}
    >
      <Text size="sm" c="dimmed" mb="sm">
        For all imports, in this browser. Columns that don’t fit scroll sideways.
      </Text>
      <ul className="list stack" aria-label="Columns">
        {[...shown, ...hidden].map((column) => {
          const isShown = shown.includes(column);
          const name = columnName(column);
          const width = rem[column] ?? remOf(column) ?? titleRem;
          const press = (label: string, Icon: typeof IconPlus, act: (() => void) | null) => (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={28}
              aria-label={`${label}: ${name}`}
              title={label}
              disabled={act === null}
              onClick={() => act?.()}
            >
              <Icon size={16} aria-hidden />
            </ActionIcon>
          );
          const at = shown.indexOf(column);
          return (
            <li key={column} className={`row ${classes.column}`}>
              <Checkbox
                label={name}
                checked={isShown}
                disabled={column === 'title'}
                onChange={(event) => keep(withShown(shown, column, event.currentTarget.checked))}
              />
              {isShown && (
                <Group gap={2} wrap="nowrap">
                  {press('Move left', IconArrowUp, at > 0 ? () => keep(withMoved(shown, column, -1)) : null)}
                  {press(
                    'Move right',
                    IconArrowDown,
                    at < shown.length - 1 ? () => keep(withMoved(shown, column, 1)) : null,
                  )}
                  {press('Narrower', IconMinus, () => keepWidth(column, width - widthStepRem))}
                  {press('Wider', IconPlus, () => keepWidth(column, width + widthStepRem))}
                </Group>
              )}
            </li>
          );
        })}
      </ul>
      <Button variant="default" mt="md" onClick={() => keepChoice(noChoice)}>
        Choose Automatically
      </Button>
    </Drawer>
  );
}

/** What the title has without a width of its own, about. */
const titleRem = 20;

import { Group, Kbd, Modal } from '@mantine/core';
import {
  IconAdjustments,
  IconBarcode,
  IconBuildingStore,
  IconHistory,
  IconLayoutDashboard,
  IconListCheck,
  IconTruckDelivery,
  IconUpload,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { suppliersPath } from '../../lib/paths.ts';
import { actionKeys } from '../../ui/keys.ts';
import { Table } from '../../ui/table/record-table.tsx';
import classes from './shell.module.css';

export const KeyList = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts">
    <KeyGroup name="Anywhere">
      <KeyRow keys={['Ctrl', 'K']} does="Search screens, imports, products and actions" />
      <KeyRow keys={['/']} does="Search this page" />
      <KeyRow keys={['?']} does="Show shortcuts" />
      <KeyRow keys={['F8']} does="Focus notification" />
      <KeyRow keys={['Esc']} does="Close dialog or cancel edit" />
    </KeyGroup>
    <KeyGroup name="Tables">
      <KeyRow keys={['↑', '↓']} does="Go to the row above or below" />
      <KeyRow keys={['←', '→']} does="In rows of an import, go to the cell before or after" />
      <KeyRow keys={['Home', 'End']} does="In rows of an import, go to the row’s first or last cell" />
    </KeyGroup>
    <KeyGroup name="Cells of an import">
      <KeyRow keys={['A', '9', '…']} does="Replace the text of the cell" />
      <KeyRow keys={['Enter']} does="Edit the cell; in a field, save and go down, with Shift up" />
      <KeyRow
        keys={['Tab']}
        does="Go to the next cell of the row, with Shift to the one before; in a field, save first"
      />
      <KeyRow keys={['↑', '↓', '←', '→']} does="In a field whose text was replaced, save and go there" />
      <KeyRow keys={['Shift', '↑↓←→']} does="Mark cells; with Ctrl, to the end" />
      <KeyRow keys={['Ctrl', 'A']} does="Mark the cells of the page" />
      <KeyRow keys={['Ctrl', 'C']} does="Copy the cell, or the marked ones" />
      <KeyRow keys={['Ctrl', 'X']} does="Copy and clear them" />
      <KeyRow keys={['Ctrl', 'V']} does="Paste; more than one cell after a preview" />
      <KeyRow
        keys={['Ctrl', 'D']}
        does="Fill the marked cells with the first one of each column, as dragging their corner does"
      />
      <KeyRow keys={['Del']} does="Clear the cell, or the marked ones" />
      <KeyRow keys={['Esc']} does="Cancel the edit, or end the marks" />
      <KeyRow keys={['Home']} does="Go to the box of the row, where letters are keys" />
      <KeyRow keys={['Shift', 'Enter']} does="On the head of a column, sort only equal rows by it" />
    </KeyGroup>
    <KeyGroup name="Rows of an import, outside of cells">
      <KeyRow keys={['n']} does="Edit the next problem; from there, Enter saves and goes on" />
      <KeyRow keys={['p']} does="Edit the previous problem" />
      <KeyRow keys={['i']} does="Show the next kind of issue" />
      <KeyRow keys={['Shift', 'I']} does="Show the previous kind of issue" />
      <KeyRow keys={['f']} does="Fix the issue that is shown, or that of the row" />
      <KeyRow keys={['x']} does="Leave the row with the focus out of the push, or put it back" />
      <KeyRow keys={['Shift', 'X']} does="Leave out the ticked rows, those that are filtered, or all" />
      <KeyRow keys={['v']} does="Filter by a value" />
      <KeyRow keys={['e']} does="Edit all fields of the row" />
      <KeyRow keys={['Ctrl', 'Enter']} does="In the dialog, save and go to the next problem" />
      <KeyRow keys={['Space']} does="Tick the row; with Shift, also those since the last tick" />
      <KeyRow keys={['c']} does="Change the ticked rows, those that are filtered, or all" />
    </KeyGroup>
    <KeyGroup name="Page of an import">
      <KeyRow keys={['Ctrl', 'Z']} does="Undo your last change of its rows" />
      <KeyRow keys={['Ctrl', 'Y']} does="Redo it, as Ctrl Shift Z does" />
      {Object.values(actionKeys).map(({ key, does }) => (
        <KeyRow key={does} keys={['Shift', key]} does={does} />
      ))}
    </KeyGroup>
    <KeyGroup name="Product Scanner">
      <KeyRow keys={['n']} does="Create a product" />
      <KeyRow keys={['s']} does="Scan a code" />
      <KeyRow keys={['←', '→', '↑', '↓']} does="Go to another product" />
      <KeyRow keys={['Enter']} does="Open the product; in the form, go to the next field" />
      <KeyRow keys={['Ctrl', 'Enter']} does="Save the product" />
      <KeyRow keys={['Esc']} does="Back to the library" />
    </KeyGroup>
    <KeyGroup name="Go to a screen: one key after the other">
      {navigation.map((item) => (
        <KeyRow key={item.path} keys={['g', item.key]} does={item.label} />
      ))}
    </KeyGroup>
  </Modal>
);

const KeyGroup = ({ name, children }: { name: string; children: ReactNode }) => (
  <Table isPlain isDense className={classes.keys}>
    <caption>{name}</caption>
    <tbody>{children}</tbody>
  </Table>
);

const KeyRow = ({ keys, does }: { keys: readonly string[]; does: string }) => (
  <tr>
    <td>
      <Group gap={4}>
        {keys.map((key) => (
          <Kbd key={key}>{key}</Kbd>
        ))}
      </Group>
    </td>
    <td>{does}</td>
  </tr>
);

/** Maximum time between `g` and the letter of a screen. */
export const goGapMsMax = 1500;

export type ShortcutState = { goSinceMs: number | null };
type KeyCommand = { kind: 'search' } | { kind: 'list' } | { kind: 'go'; path: string } | null;

export function readShortcut(
  state: ShortcutState,
  key: string,
  timeMs: number,
): { state: ShortcutState; command: KeyCommand } {
  const rest: ShortcutState = { goSinceMs: null };
  if (state.goSinceMs !== null && timeMs - state.goSinceMs <= goGapMsMax) {
    const item = navigation.find((entry) => entry.key === key);
    return { state: rest, command: item === undefined ? null : { kind: 'go', path: item.path } };
  }
  if (key === 'g') return { state: { goSinceMs: timeMs }, command: null };
  if (key === '/') return { state: rest, command: { kind: 'search' } };
  if (key === '?') return { state: rest, command: { kind: 'list' } };
  return { state: rest, command: null };
}

/** Whether the keys are K with Ctrl, or K with Command on a Mac. */
export const isPaletteShortcut = (
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
) => event.key.toLowerCase() === 'k' && event.ctrlKey !== event.metaKey && !event.altKey && !event.shiftKey;

export type NavigationItem = {
  path: string;
  label: string;
  /** Label in the bottom bar; null if the screen has no entry there. */
  shortLabel: string | null;
  icon: typeof IconUpload;
  key: string;
  /** Whether the entry is hidden until a supplier has a second list or a name. */
  isOfSuppliers?: true;
};

export const navigation: readonly NavigationItem[] = [
  { path: '/', label: 'Dashboard', shortLabel: 'Dashboard', icon: IconLayoutDashboard, key: 'd' },
  { path: '/upload', label: 'Upload CSV', shortLabel: 'Upload', icon: IconUpload, key: 'u' },
  { path: '/queue', label: 'Processing Queue', shortLabel: 'Queue', icon: IconListCheck, key: 'q' },
  { path: '/history', label: 'History', shortLabel: 'History', icon: IconHistory, key: 'h' },
  {
    ...{ path: suppliersPath, label: 'Suppliers', shortLabel: null, icon: IconTruckDelivery, key: 'l' },
    isOfSuppliers: true,
  },
  { path: '/shopify', label: 'Shopify Integration', shortLabel: null, icon: IconBuildingStore, key: 's' },
  { path: '/scanner', label: 'Product Scanner', shortLabel: 'Scanner', icon: IconBarcode, key: 'p' },
  { path: '/settings', label: 'Settings', shortLabel: 'Settings', icon: IconAdjustments, key: ',' },
];

import { Menu } from '@mantine/core';
import type { ShownImport } from '../../api/imports.ts';
import { useOpenedMenu } from '../../lib/use-opened-menu.ts';
import type { QueueAction } from './queue-actions.ts';
import { RowMenuButton } from './row-menu-button.tsx';

type RowMenuProps = {
  record: ShownImport;
  actions: readonly QueueAction[];
  onAct: (action: QueueAction) => void;
};

/** The actions of a row that have no button. It opens when it appears, because it is loaded by a click. */
export function RowMenu({ record, actions, onAct }: RowMenuProps) {
  const { target, opened, setOpened } = useOpenedMenu();
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" transitionProps={{ duration: 100 }}>
      <Menu.Target>
        <RowMenuButton ref={target} filename={record.filename} />
      </Menu.Target>
      <Menu.Dropdown aria-label={`Actions for ${record.filename}`}>
        {actions.map((action) => (
          <Menu.Item
            key={action.label}
            onClick={() => {
              // A dialog returns the focus to where it was, and the menu's items are gone by then.
              target.current?.focus();
              onAct(action);
            }}
          >
            {action.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

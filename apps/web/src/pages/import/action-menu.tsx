import { Menu, Text } from '@mantine/core';
import { useOpenedMenu } from '../../lib/use-opened-menu.ts';
import { MoreButton } from './more-button.tsx';
import type { PageAction } from './page-actions.ts';

type ActionMenuProps = { actions: readonly PageAction[]; onAct: (action: PageAction) => void };

/** The actions that are not in the bar. It opens when it appears, because it is loaded by a click. */
export function ActionMenu({ actions, onAct }: ActionMenuProps) {
  const { target, opened, setOpened } = useOpenedMenu();
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" transitionProps={{ duration: 100 }}>
      <Menu.Target>
        <MoreButton ref={target} />
      </Menu.Target>
      <Menu.Dropdown aria-label="More actions">
        {actions.map((action) => (
          <Menu.Item
            key={action.label}
            aria-disabled={action.reason !== null || undefined}
            data-disabled={action.reason !== null || undefined}
            closeMenuOnClick={action.reason === null}
            onClick={() => {
              if (action.reason !== null) return;
              // A dialog returns the focus to where it was, and the menu's items are gone by then.
              target.current?.focus();
              onAct(action);
            }}
          >
            {action.label}
            {action.reason !== null && (
              <Text size="xs" c="dimmed" maw={240}>
                {action.reason}
              </Text>
            )}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

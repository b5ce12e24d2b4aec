import { Kbd, Menu, Text } from '@mantine/core';
import type { ComponentPropsWithRef, ReactElement } from 'react';
import type { Hotkey } from '../actions/action-keys.ts';
import { shownKey } from '../actions/offered-actions.ts';
import { useOpenedAtOnce } from '../hooks/use-opened-at-once.ts';

type MenuItem = {
  label: string;
  /** Reason for a disabled action; null if it is enabled. */
  reason: string | null;
  /** The key that does the same. */
  hotkey?: Hotkey | null;
  act: () => void;
};

export type OpenedMenuProps = {
  /** The menu's name. */
  name: string;
  button: (props: ComponentPropsWithRef<'button'>) => ReactElement;
  items: readonly MenuItem[];
};

/** A menu that opens when it appears, because a click has loaded it. */
export function OpenedMenu({ name, button, items }: OpenedMenuProps) {
  const { target, opened, setOpened } = useOpenedAtOnce();
  return (
    <Menu
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      transitionProps={{ duration: 100 }}
      // A hidden menu has no width, and would then be placed beyond the edge of a phone, which widens the page.
      hideDetached={false}
    >
      <Menu.Target>{button({ ref: target })}</Menu.Target>
      <Menu.Dropdown aria-label={name}>
        {items.map(({ label, reason, hotkey = null, act }) => (
          <Menu.Item
            key={label}
            aria-disabled={reason !== null || undefined}
            data-disabled={reason !== null || undefined}
            closeMenuOnClick={reason === null}
            rightSection={hotkey === null ? null : <Kbd size="xs">{shownKey(hotkey.key)}</Kbd>}
            onClick={() => {
              if (reason !== null) return;
              // A dialog returns the focus to where it was, and the menu's items are gone by then.
              target.current?.focus();
              act();
            }}
          >
            {label}
            {reason !== null && (
              <Text size="xs" c="dimmed" maw={240}>
                {reason}
              </Text>
            )}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

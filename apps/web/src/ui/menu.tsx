import { type ActionIconProps, Kbd, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { type ComponentPropsWithRef, cloneElement, type ReactElement, useRef } from 'react';
import { IconButton, SmallText } from './basics.tsx';
import { formatKey, type Hotkey } from './keys.ts';

type MenuItem = {
  label: string;
  reason: string | null;
  hotkey?: Hotkey | null;
  act: () => void;
};

type ActionMenuProps = {
  name: string;
  children: ReactElement<ComponentPropsWithRef<'button'>>;
  items: readonly MenuItem[];
};

export function ActionMenu({ name, children, items }: ActionMenuProps) {
  const target = useRef<HTMLButtonElement>(null);
  return (
    <Menu
      position="bottom-end"
      transitionProps={{ duration: 100 }}
      // A hidden menu has no width, so on a phone it would be placed beyond the edge and widen the page.
      hideDetached={false}
    >
      <Menu.Target>{cloneElement(children, { ref: target })}</Menu.Target>
      <Menu.Dropdown aria-label={name}>
        {items.map(({ label, reason, hotkey = null, act }) => (
          <Menu.Item
            key={label}
            aria-disabled={reason !== null || undefined}
            data-disabled={reason !== null || undefined}
            closeMenuOnClick={reason === null}
            rightSection={hotkey === null ? null : <Kbd size="xs">{formatKey(hotkey.key)}</Kbd>}
            onClick={() => {
              if (reason !== null) return;
              // A dialog returns the focus on closing. The menu item is gone by then, so the button is focused first.
              target.current?.focus();
              act();
            }}
          >
            {label}
            {reason !== null && <SmallText maw={240}>{reason}</SmallText>}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

type MoreMenuProps = Omit<ActionMenuProps, 'children'> & {
  label: string;
  title?: string;
} & Pick<ActionIconProps, 'variant' | 'color' | 'size'> & { className: string | undefined };

export const MoreMenu = ({ items, name, label, ...look }: MoreMenuProps) => (
  <ActionMenu name={name} items={items}>
    <IconButton icon={IconDots} label={label} {...look} />
  </ActionMenu>
);

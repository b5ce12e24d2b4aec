import { Popover, Text } from '@mantine/core';
import type { ComponentPropsWithRef, ReactElement } from 'react';
import { useOpenedAtOnce } from '../hooks/use-opened-at-once.ts';
import { RelativeTime } from '../time.tsx';
import classes from './bell.module.css';
import type { Notice } from './notices.ts';
import { LinkOfToast, ToastIcon, ToastLines } from './toast-parts.tsx';

type NoticeListProps = {
  button: (props: ComponentPropsWithRef<'button'>) => ReactElement;
  /** The newest first. */
  notices: readonly Notice[];
  onSeen: () => void;
};

/** The last notifications. The list opens when it appears, because a click has loaded it. */
export function NoticeList({ button, notices, onSeen }: NoticeListProps) {
  const { target, opened, setOpened } = useOpenedAtOnce();
  const change = (isOpened: boolean) => {
    setOpened(isOpened);
    onSeen();
  };
  return (
    <Popover
      opened={opened}
      onChange={change}
      position="bottom-end"
      width="min(24rem, 94vw)"
      trapFocus
      returnFocus
      transitionProps={{ duration: 100 }}
    >
      <Popover.Target>{button({ ref: target, onClick: () => change(!opened) })}</Popover.Target>
      <Popover.Dropdown aria-label="Recent notifications">
        {notices.length === 0 ? (
          <Text size="sm" c="dimmed" data-autofocus tabIndex={-1}>
            No notifications in this tab yet.
          </Text>
        ) : (
          <ul className={classes.list} data-autofocus tabIndex={-1}>
            {notices.map((notice) => (
              <NoticeLine key={notice.id} notice={notice} onOpen={() => change(false)} />
            ))}
          </ul>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

function NoticeLine({
  notice: { title, text, tone, link, at },
  onOpen,
}: {
  notice: Notice;
  onOpen: () => void;
}) {
  return (
    <li className={classes.notice} data-tone={tone}>
      <ToastIcon tone={tone} size={16} />
      <span className={classes.title}>{title}</span>
      <span className={classes.time}>
        <RelativeTime time={at} />
      </span>
      <div className={classes.text}>
        <ToastLines text={text} />
        {link !== undefined && <LinkOfToast link={link} className={classes.link} onClick={onOpen} />}
      </div>
    </li>
  );
}

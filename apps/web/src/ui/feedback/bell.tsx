import { Popover } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useState } from 'react';
import { countOf } from '../../lib/intl.ts';
import { IconButton, QuietText, RelativeTime } from '../basics.tsx';
import classes from './toast.module.css';
import { ToastAnchor, ToastIcon, ToastLines } from './toast.tsx';
import { markNoticesSeen, type Notice, storedNotices } from './toast-state.ts';

/** Lists the last notifications, because only one is shown at a time. */
export function NotificationBell() {
  const notices = storedNotices.use();
  const [opened, setOpened] = useState(false);
  const news = notices.filter(({ isNews }) => isNews).length;
  const change = (isOpened: boolean) => {
    setOpened(isOpened);
    markNoticesSeen();
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
      <Popover.Target>
        <IconButton
          icon={IconBell}
          iconStroke={1.5}
          size="lg"
          title="Recent notifications"
          label={
            news === 0
              ? 'Recent notifications'
              : `Recent notifications, ${countOf(news, 'new one', 'new ones')}`
          }
          className={`${classes.bell} relative`}
          data-news={news > 0 || undefined}
          onClick={() => change(!opened)}
        />
      </Popover.Target>
      <Popover.Dropdown aria-label="Recent notifications">
        {notices.length === 0 ? (
          <QuietText data-autofocus tabIndex={-1}>
            No notifications in this tab yet.
          </QuietText>
        ) : (
          <ul className={`${classes.list} list stack gap-sm`} data-autofocus tabIndex={-1}>
            {notices.map((notice) => (
              <NoticeLine key={notice.id} notice={notice} onOpen={() => change(false)} />
            ))}
          </ul>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

type NoticeLineProps = { notice: Notice; onOpen: () => void };

const NoticeLine = ({ notice: { title, text, tone, link, at }, onOpen }: NoticeLineProps) => (
  <li className={`marked ${classes.notice} grid size-sm`} data-tone={tone ?? 'plain'}>
    <ToastIcon tone={tone} size={16} />
    <span className="bold">{title}</span>
    <span className="small nowrap">
      <RelativeTime time={at} />
    </span>
    <div className={classes.text}>
      <ToastLines text={text} />
      {link !== undefined && (
        <ToastAnchor link={link} className={`${classes.bellLink} target`} onClick={onOpen} />
      )}
    </div>
  </li>
);

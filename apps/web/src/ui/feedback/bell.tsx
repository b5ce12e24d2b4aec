import { IconBell } from '@tabler/icons-react';
import { type ComponentPropsWithRef, Suspense, useState } from 'react';
import { countOf } from '../../lib/intl.ts';
import { lazily } from '../../lib/load-chunk.ts';
import { ActionIcon } from '../button.tsx';
import classes from './bell.module.css';
import { useNotices } from './toast.tsx';

const NoticeList = lazily(() => import('./notice-list.tsx').then((chunk) => chunk.NoticeList));

/** A button with the last notifications, since only one is shown at a time. A dot says that there is news. */
export function Bell() {
  const { notices, see } = useNotices();
  const [wanted, setWanted] = useState(false);
  const news = notices.filter(({ isNews }) => isNews).length;
  const button = (props: ComponentPropsWithRef<'button'>) => (
    <ActionIcon
      aria-haspopup="dialog"
      variant="subtle"
      color="gray"
      size="lg"
      title="Recent notifications"
      {...props}
      aria-label={
        news === 0 ? 'Recent notifications' : `Recent notifications, ${countOf(news, 'new one', 'new ones')}`
      }
      className={classes.bell}
      data-news={news > 0 || undefined}
    >
      <IconBell size={16} stroke={1.5} aria-hidden />
    </ActionIcon>
  );
  const placeholder = button({
    onClick: () => {
      setWanted(true);
      see();
    },
  });
  if (!wanted) return placeholder;
  return (
    <Suspense fallback={placeholder}>
      <NoticeList button={button} notices={notices} onSeen={see} />
    </Suspense>
  );
}

import { Skeleton } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconHelpCircle,
  IconLogout,
} from '@tabler/icons-react';
import { NavLink } from 'react-router';
import { findStoreName, isDemoStore, useConnections } from '../../api/connections.ts';
import { RunningCount } from '../../features/import/index.ts';
import { useConditions } from '../../features/operate/index.ts';
import { useHasNamedSupplier } from '../../features/suppliers/index.ts';
import { countOf } from '../../lib/intl.ts';
import { connectionsPath, queuePath } from '../../lib/paths.ts';
import { PageLink, PlainButton, SmallText } from '../../ui/basics.tsx';
import { Brand } from '../../ui/brand.tsx';
import { navigation } from './key-list.tsx';
import classes from './shell.module.css';

type SidebarProps = {
  onSignOut: () => void;
  signingOut: boolean;
  /** Whether the server is unreachable, so that the state of the connections is unknown. */
  lost: boolean;
};

export function Sidebar({ onSignOut, signingOut, lost }: SidebarProps) {
  const hasNamedSupplier = useHasNamedSupplier();
  const screens = navigation.filter(({ isOfSuppliers }) => !isOfSuppliers || hasNamedSupplier);
  return (
    <aside className={`${classes.sidebar} stack gap-md pad surface-quiet`}>
      <Brand />
      <nav aria-label="Main" className="stack grow gap-hair">
        {screens.map((item) => (
          <NavLink
            key={item.path}
            to={item.path}
            end={item.path === '/'}
            className={`${classes.sidebarLink} row nowrap rounded`}
          >
            <item.icon size={16} stroke={1.5} aria-hidden />
            {item.label}
            {item.path === queuePath && <RunningCount />}
          </NavLink>
        ))}
      </nav>
      <StatusBlock lost={lost} />
      <PlainButton icon={IconLogout} iconStroke={1.5} loading={signingOut} onClick={onSignOut}>
        Sign Out
      </PlainButton>
    </aside>
  );
}

const connectionLooks = {
  connected: { word: 'Connected', icon: IconCircleCheck, tone: 'good' },
  disconnected: { word: 'Disconnected', icon: IconCircleX, tone: 'bad' },
  pending: { word: 'Pending', icon: IconClock, tone: 'dim' },
  unknown: { word: 'Unknown', icon: IconHelpCircle, tone: 'dim' },
} as const;

function StatusBlock({ lost }: { lost: boolean }) {
  const connections = useConnections();
  const stateOf = (service: string) =>
    connections.data?.find((connection) => connection.service === service)?.status;
  const isUnknown = lost && connections.data !== undefined;
  const store = stateOf('shopify') === 'connected' ? 'connected' : 'disconnected';
  // OneDrive is shown as pending until a watched folder is connected (docs/why/folders.md).
  const folder = stateOf('onedrive') === 'connected' ? 'connected' : 'pending';
  return (
    <section className="gap-6 stack" aria-label="Status">
      <SmallText fw={600}>Status</SmallText>
      <StatusLine name="Shopify" look={connections.isPending ? null : isUnknown ? 'unknown' : store} />
      {isDemoStore(connections.data) && (
        <PageLink to={connectionsPath} size="xs" c="dimmed">
          {findStoreName(connections.data)}
        </PageLink>
      )}
      <StatusLine name="OneDrive" look={isUnknown ? 'unknown' : folder} />
      <ConditionsMark />
    </section>
  );
}

function StatusLine({ name, look }: { name: string; look: keyof typeof connectionLooks | null }) {
  const { word, icon: Icon, tone } = connectionLooks[look ?? 'unknown'];
  return (
    <div className="flex between size-sm">
      <span>{name}</span>
      {look === null ? (
        <Skeleton width={92} height={12} my={4} aria-hidden />
      ) : (
        <span className={`inline-flex center gap-tight ${tone}`}>
          <Icon size={14} aria-hidden /> {word}
        </span>
      )}
    </div>
  );
}

function ConditionsMark() {
  const count = useConditions().data?.conditions.length ?? 0;
  if (count === 0) return null;
  return (
    <PageLink to="/settings?tab=debug" size="sm" c="var(--text-warning)">
      <IconAlertTriangle size={14} aria-hidden /> {countOf(count, 'problem', 'problems')}
    </PageLink>
  );
}

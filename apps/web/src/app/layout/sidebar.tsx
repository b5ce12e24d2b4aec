import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconClock, IconLogout } from '@tabler/icons-react';
import { NavLink } from 'react-router';
import { useConnections } from '../../api/connections.ts';
import { Brand } from '../../components/brand.tsx';
import { navigation } from './navigation.ts';
import classes from './shell.module.css';

/** The navigation of wide screens and the connection status. */
export function Sidebar({ onSignOut, signingOut }: { onSignOut: () => void; signingOut: boolean }) {
  return (
    <aside className={classes.sidebar}>
      <Brand />
      <nav aria-label="Main" className={classes.sidebarLinks}>
        {navigation.map((item) => (
          <NavLink key={item.path} to={item.path} end={item.path === '/'} className={classes.sidebarLink}>
            <item.icon size={18} stroke={1.75} aria-hidden />
            {item.label}
          </NavLink>
        ))}
      </nav>
      <StatusBlock />
      <Button
        variant="default"
        leftSection={<IconLogout size={16} aria-hidden />}
        loading={signingOut}
        onClick={onSignOut}
      >
        Sign Out
      </Button>
    </aside>
  );
}

function StatusBlock() {
  const connections = useConnections();
  const stateOf = (service: string) => connections.data?.find((one) => one.service === service)?.status;
  // OneDrive is shown as pending until a watched folder is connected (docs/decisions/0011).
  const folderConnected = stateOf('onedrive') === 'connected';
  return (
    <Stack gap={6} component="section" aria-label="Status">
      <Text size="xs" fw={600} c="dimmed">
        Status
      </Text>
      <div className={classes.statusLine}>
        <span>Shopify</span>
        {connections.isPending ? (
          <Skeleton width={92} height={12} my={4} aria-hidden />
        ) : stateOf('shopify') === 'connected' ? (
          <span className={classes.statusGood}>
            <IconCircleCheck size={14} aria-hidden /> Connected
          </span>
        ) : (
          <span className={classes.statusBad}>
            <IconCircleX size={14} aria-hidden /> Disconnected
          </span>
        )}
      </div>
      <div className={classes.statusLine}>
        <span>OneDrive</span>
        {folderConnected ? (
          <span className={classes.statusGood}>
            <IconCircleCheck size={14} aria-hidden /> Connected
          </span>
        ) : (
          <span className={classes.statusQuiet}>
            <IconClock size={14} aria-hidden /> Pending
          </span>
        )}
      </div>
    </Stack>
  );
}

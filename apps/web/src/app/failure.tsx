import { Center, Group } from '@mantine/core';
import { useRouteError } from 'react-router';
import { Button } from '../ui/button.tsx';
import { ErrorPanel } from '../ui/feedback/error-panel.tsx';

function causeOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The error page of a crashed screen. */
export function Failure({ error }: { error: unknown }) {
  return (
    <Center mih="60dvh" p="md">
      <h1 className="visually-hidden" tabIndex={-1}>
        Error
      </h1>
      <ErrorPanel title="This page crashed." cause={causeOf(error)}>
        Changes that were saved are kept. Reload, or go back to the dashboard.
        <Group gap="xs">
          <Button onClick={() => location.reload()}>Reload</Button>
          <Button variant="default" component="a" href="/">
            Dashboard
          </Button>
        </Group>
      </ErrorPanel>
    </Center>
  );
}

/** The same page for errors that the router catches. */
export function RouteFailure() {
  return <Failure error={useRouteError()} />;
}

import { Group, Title } from '@mantine/core';
import { Link } from 'react-router';
import { Button } from '../../components/button.tsx';
import { ErrorPanel } from '../../components/feedback/error-panel.tsx';

/** Replaces the tabs while the store does not answer. */
export function ConnectionErrorView(props: { cause: string | null; isTesting: boolean; onTest: () => void }) {
  return (
    <>
      <Title order={2}>Connection Error</Title>
      <ErrorPanel
        title="Unable to connect to your Shopify store. Please check your credentials and try again."
        cause={props.cause}
      >
        <Group gap="sm">
          <Button loading={props.isTesting} onClick={props.onTest}>
            Test Connection
          </Button>
          <Button variant="default" component={Link} to="/settings?tab=connections">
            Configure Credentials
          </Button>
        </Group>
      </ErrorPanel>
    </>
  );
}

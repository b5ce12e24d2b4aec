import { Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { PageLink } from '../../components/placeholder-page.tsx';
import { importPath } from '../../lib/paths.ts';
import classes from './shopify.module.css';

export type NamedResult = { importId: string; filename: string; success: boolean; message: string };

/** What came of each import of the last batch, in its order. */
export function BatchResults({ results }: { results: readonly NamedResult[] }) {
  if (results.length === 0) return null;
  return (
    <Stack component="section" gap="xs" className="panel" aria-labelledby="last-batch">
      <Title order={2} id="last-batch">
        Last Batch
      </Title>
      <ul className={classes.activity}>
        {results.map(({ importId, filename, success, message }) => (
          <li key={importId} data-failed={!success || undefined}>
            {success ? <IconCheck size={16} aria-hidden /> : <IconAlertTriangle size={16} aria-hidden />}
            <Text size="sm" className={classes.title}>
              <PageLink path={importPath(importId)}>{filename}</PageLink>
              {`: ${message}`}
            </Text>
          </li>
        ))}
      </ul>
    </Stack>
  );
}

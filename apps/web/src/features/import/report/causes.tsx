import type { ImportReport } from '@draftshelf/contract/imports/report';
import { Group, Stack, Text, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { Link } from 'react-router';
import { formatCount } from '../../../lib/intl.ts';
import { importPath } from '../../../lib/paths.ts';
import { Button } from '../../../ui/button.tsx';
import { OutcomeBadge } from '../cells/status-badge.tsx';
import { rowsPerPage } from '../rows-api.ts';
import classes from './report.module.css';
import { failedRowsUrl } from './report-api.ts';
import { downloadWords, otherCausesWords } from './report-parts.tsx';

/** Causes of skipped and failed products, the most frequent first, with links to some of the rows. */
export function Causes({ report }: { report: ImportReport }) {
  return (
    <Stack component="section" gap="xs" aria-label="Causes">
      <Group justify="space-between" gap="xs">
        <Title order={3}>Causes</Title>
        <Button
          component="a"
          href={failedRowsUrl(report.id)}
          download
          variant="default"
          size="compact-sm"
          className={classes.download}
          leftSection={<IconDownload size={14} aria-hidden />}
        >
          {downloadWords(report.outcomes)}
        </Button>
      </Group>
      <ul className="list">
        {report.causes.map((cause) => (
          <li key={`${cause.outcome} ${cause.code} ${cause.message}`} className={classes.cause}>
            <Group gap="xs" justify="space-between" align="flex-start" wrap="nowrap">
              <Text className="break-words numbers">
                {formatCount(cause.products)} × {cause.message ?? 'No reason was recorded'}
              </Text>
              <OutcomeBadge outcome={cause.outcome} />
            </Group>
            <Text size="sm" c="dimmed" component="div" className={`stack ${classes.examples}`}>
              {cause.examples.map((example) => (
                <Link
                  key={example.product}
                  to={`${importPath(report.id)}?page=${Math.ceil(example.row / rowsPerPage)}`}
                  className="ellipsis"
                  dir="auto"
                >
                  Row {formatCount(example.row)}
                  {example.title !== null && `: ${example.title}`}
                </Link>
              ))}
            </Text>
          </li>
        ))}
      </ul>
      {report.otherCauses > 0 && (
        <Text size="sm" c="dimmed" className="numbers">
          {otherCausesWords(report.otherCauses)}
        </Text>
      )}
    </Stack>
  );
}

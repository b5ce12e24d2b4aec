import { Anchor, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck, IconCloudUpload } from '@tabler/icons-react';
import { Link } from 'react-router';
import { formatCount } from '../../lib/intl.ts';
import { importPath } from '../../lib/paths.ts';
import sections from '../../ui/sections.module.css';
import type { Shown } from './overview-tab.tsx';
import classes from './shopify.module.css';
import { distribution } from './store-products.ts';

/** The specification lists this many imports. */
const importsShown = 3;

const names = { active: 'Active', draft: 'Draft', archived: 'Archived' } as const;

/** Distribution of the products over the statuses, and the latest imports that are ready. */
export function AnalyticsTab({ products, imports, store }: Shown) {
  return (
    <div className={classes.overview}>
      <Stack component="section" gap="sm" aria-labelledby="distribution">
        <Title order={2} id="distribution">
          Product Distribution
        </Title>
        {products === undefined ? (
          <Skeleton height={120} />
        ) : (
          <Stack component="ul" gap="sm" className="list">
            {distribution(products.products).map(({ status, count, percent }) => (
              <li key={status}>
                <Group justify="space-between" gap="xs" fz="sm">
                  <span>{names[status]}</span>
                  <span className="numbers">{`${formatCount(count)} · ${percent} %`}</span>
                </Group>
                <div className={classes.track}>
                  <div className={classes.bar} data-status={status} style={{ width: `${percent}%` }} />
                </div>
              </li>
            ))}
          </Stack>
        )}
      </Stack>
      <Stack component="section" gap="sm" aria-labelledby="recent-activity">
        <Title order={2} id="recent-activity">
          Recent Activity
        </Title>
        <ul className={`list ${classes.activity}`}>
          {store?.connected.status === 'success' && (
            <li className={sections.marked} data-tone="good">
              <IconCircleCheck size={16} aria-hidden />
              <Text size="sm">Connection verified</Text>
            </li>
          )}
          {imports?.slice(0, importsShown).map(({ id, filename }) => (
            <li key={id} className={sections.marked} data-tone="good">
              <IconCloudUpload size={16} aria-hidden />
              <Text size="sm" className="break-words">
                <Anchor component={Link} to={importPath(id)} inherit underline="always">
                  {filename}
                </Anchor>
                {' ready for upload'}
              </Text>
            </li>
          ))}
        </ul>
      </Stack>
    </div>
  );
}

import { Anchor } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useConditions } from '../../features/operate/index.ts';
import { countOf } from '../../lib/intl.ts';

/** The number of conditions that somebody should look after, as a link to them. Nothing if there are none. */
export function ConditionsMark() {
  const count = useConditions().data?.conditions.length ?? 0;
  if (count === 0) return null;
  return (
    <Anchor component={Link} to="/settings?tab=debug" size="sm" underline="always" c="var(--text-warning)">
      <IconAlertTriangle size={14} aria-hidden /> {countOf(count, 'problem', 'problems')}
    </Anchor>
  );
}

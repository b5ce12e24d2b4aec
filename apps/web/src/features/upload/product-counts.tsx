import { Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { countOf, formatCount } from '../../lib/intl.ts';
import { CompositionBar, someOf } from '../import/index.ts';
import classes from './upload.module.css';

type ProductCountsProps = {
  products: number;
  /** False: shown as 'about'. */
  exact: boolean;
  valid: number;
  warnings: number;
  errors: number;
};

/** The composition of a file, as a bar and in numbers. */
export function ProductCounts({ products, exact, valid, warnings, errors }: ProductCountsProps) {
  return (
    <>
      <CompositionBar
        total={products}
        parts={someOf([
          { kind: 'valid', count: valid },
          { kind: 'warning', count: warnings },
          { kind: 'error', count: errors },
        ])}
      />
      <div className={classes.counts}>
        <Text component="span" fw={600} className="numbers">
          {`${exact ? '' : 'about '}${countOf(products, 'product')}`}
        </Text>
        <Count count={valid} icon={<IconCheck size={16} aria-hidden />} color="var(--text-good)">
          {`${formatCount(valid)} valid`}
        </Count>
        <Count
          count={warnings}
          icon={<IconAlertTriangle size={16} aria-hidden />}
          color="var(--text-warning)"
        >
          {countOf(warnings, 'warning')}
        </Count>
        <Count count={errors} icon={<IconX size={16} aria-hidden />} color="var(--text-bad)">
          {countOf(errors, 'error')}
        </Count>
      </div>
    </>
  );
}

type CountProps = { count: number; icon: ReactNode; color: string; children: string };

/** A count; none is neither good nor bad news, so it has no color. */
function Count({ count, icon, color, children }: CountProps) {
  return (
    <Text component="span" className="numbers" c={count === 0 ? 'dimmed' : color}>
      <Group component="span" gap={4} wrap="nowrap">
        {count > 0 && icon}
        {children}
      </Group>
    </Text>
  );
}

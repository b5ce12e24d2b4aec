import type { FieldValues } from '@draftshelf/contract/review/field-values';
import { optionsField, type ValueField } from '@draftshelf/domain/base/field-value';
import { splitOptionText } from '@draftshelf/domain/products/variant-options';
import { Group, Select, Skeleton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { readOf } from '../../../api/call.ts';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { BodyText, PlainButton, SmallButton, SmallText, SubtleButton } from '../../../ui/basics.tsx';
import { ReadView } from '../../../ui/feedback/read.tsx';
import { fieldLabel } from '../mapping/mapping-words.ts';
import type { ValuesFilter } from '../rows-api.ts';
import classes from './bulk-dialog.module.css';
import type { ReplacedValue } from './operation-draft.ts';

type ValuesPanelProps = {
  importId: string;
  field: ValueField;
  filter: ValuesFilter;
  isOpened: boolean;
  replaced: readonly ReplacedValue[];
  /** `isTyped`: true if the operator will type the replacement. */
  onReplace: (values: readonly ReplacedValue[], isTyped: boolean) => void;
};

export function ValuesPanel({ importId, field, filter, isOpened, replaced, onReplace }: ValuesPanelProps) {
  const toOf = new Map(replaced.map(({ from, to }) => [from, to]));
  const [toggled, setToggled] = useState<boolean | null>(null);
  const isOpen = toggled ?? isOpened;
  const id = useId();
  const Icon = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <section className={`stack ${classes.values} gap-tight`} aria-labelledby={id}>
      <SubtleButton
        id={id}
        color="gray"
        size="compact-md"
        icon={Icon}
        iconSize={14}
        aria-expanded={isOpen}
        onClick={() => setToggled(!isOpen)}
      >
        Values of {fieldLabel(field)}
      </SubtleButton>
      {isOpen && (
        <LoadedValues key={field} {...{ importId, field, filter }} height={160}>
          {({ clusters, values }) => (
            <>
              {clusters.length > 0 && (
                <>
                  <BodyText fw={550}>Probably the same</BodyText>
                  <ul className="list" aria-label="Probably the same">
                    {clusters.map((cluster) => (
                      <Cluster key={cluster[0]?.value} {...{ field, cluster, toOf, onReplace }} />
                    ))}
                  </ul>
                </>
              )}
              {values.length > 0 && (
                <ul className="list" aria-label={`Values of ${fieldLabel(field)}`}>
                  {values.map(({ value, rows }) => (
                    <li key={value} className={`grid gap-xs center size-sm line-below ${classes.value}`}>
                      <span className={`ellipsis ${classes.text} pre`} dir="auto">
                        {value}
                        {toOf.has(value) && <span className="dim"> → {toOf.get(value) || 'empty'}</span>}
                      </span>
                      <span className="dim numbers">{formatCount(rows)} ×</span>
                      <Group gap={4} wrap="nowrap">
                        {(['Clear', 'Replace'] as const).map((verb) => (
                          // Disabled instead of removed, so that the button keeps the focus.
                          <SmallButton
                            key={verb}
                            disabled={toOf.has(value)}
                            aria-label={`${verb} “${value}”${verb === 'Clear' ? '' : '…'}`}
                            onClick={() => onReplace([{ from: value, to: '' }], verb === 'Replace')}
                          >
                            {verb === 'Clear' ? verb : `${verb}…`}
                          </SmallButton>
                        ))}
                      </Group>
                    </li>
                  ))}
                </ul>
              )}
            </>
          )}
        </LoadedValues>
      )}
    </section>
  );
}

type ClusterProps = Pick<ValuesPanelProps, 'onReplace'> & {
  field: ValueField;
  cluster: FieldValues['clusters'][number];
  toOf: ReadonlyMap<string, string>;
};

function Cluster({ field, cluster, toOf, onReplace }: ClusterProps) {
  const [spelling, setSpelling] = useState(cluster[0]?.value ?? '');
  const others = cluster.filter(({ value }) => value !== spelling);
  // An option's spelling includes the option's name, but the replacement is only its value.
  const to = field === optionsField ? splitOptionText(spelling)[1] : spelling;
  const isAdded = others.some(({ value }) => toOf.has(value));
  return (
    <li className={`grid gap-xs center size-sm line-below ${classes.cluster}`}>
      <span className={`break-words ${classes.spellings}`} dir="auto">
        {cluster.map(({ value, rows }, at) => (
          <span key={value}>
            {at > 0 && ' · '}
            <span className={classes.exact}>{value}</span>{' '}
            <span className="dim numbers">{formatCount(rows)}</span>
          </span>
        ))}
      </span>
      <Select
        size="xs"
        aria-label={`Spelling of ${spelling} to keep`}
        data={cluster.map(({ value }) => value)}
        value={spelling}
        disabled={isAdded}
        onChange={(value) => value !== null && setSpelling(value)}
      />
      <PlainButton
        size="compact-md"
        disabled={isAdded}
        aria-label={`${isAdded ? 'Added' : 'One Spelling'}: ${spelling}`}
        onClick={() =>
          onReplace(
            others.map(({ value }) => ({ from: value, to })),
            false,
          )
        }
      >
        {isAdded ? 'Added' : 'One Spelling'}
      </PlainButton>
    </li>
  );
}

type LoadedValuesProps = {
  importId: string;
  field: ValueField;
  filter: ValuesFilter;
  /** Height in pixels until the values are loaded. */
  height: number;
  children: (values: FieldValues) => ReactNode;
};

export function LoadedValues({ importId, field, filter, height, children }: LoadedValuesProps) {
  const values = useQuery({
    ...readOf('listValues', { params: { id: importId }, query: { field, ...filter } }),
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <ReadView of={values} what="the values" meanwhile={<Skeleton height={height} aria-hidden />}>
      {(data) => (
        <>
          <SmallText className="numbers" role="status">
            {describeValues(data)}
          </SmallText>
          {children(data)}
        </>
      )}
    </ReadView>
  );
}

type ReadValues = Pick<FieldValues, 'rows' | 'empty' | 'distinct' | 'isAll' | 'values'>;

/** Example: '12 values in 1,180 rows, 3 rows without one.' */
export function describeValues({ rows, empty, distinct, isAll, values }: ReadValues): string {
  if (isAll && rows === 0) return 'No rows match the filter, so there are no values.';
  const where = isAll ? countOf(rows, 'row') : `the first ${formatCount(rows)} rows`;
  const some = values.length < distinct ? `, the commonest ${values.length} below` : '';
  const without = empty === 0 ? '' : `, ${countOf(empty, 'row')} without one`;
  return `${countOf(distinct, 'value')} in ${where}${without}${some}.`;
}

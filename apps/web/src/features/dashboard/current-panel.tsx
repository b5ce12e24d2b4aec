import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link } from 'react-router';
import { countOf, formatCount } from '../../lib/intl.ts';
import { queuePath } from '../../lib/paths.ts';
import { AsOf, Read } from '../../ui/feedback/read.tsx';
import { HelpTip } from '../../ui/hint.tsx';
import { BodyText, SmallText } from '../../ui/text.tsx';
import {
  compositionOf,
  FileLink,
  ImportBar,
  LookBadge,
  lossesOf,
  ProgressCaption,
  type ShownCurrent,
  StatusBadge,
  statusLook,
  type useCurrent,
} from '../import/index.ts';
import { FirstSteps } from '../queue/index.ts';
import classes from './dashboard.module.css';
import { countWaiting, orderByNeed } from './dashboard-words.ts';

/** More are in the queue. Above the activity, the list must not move it. */
const rowsMax = { beside: 8, above: 3 };
const places = ['first', 'second', 'third'];

type CurrentPanelProps = { reading: ReturnType<typeof useCurrent>; isFirstUse: boolean };

export const CurrentPanel = ({ reading, isFirstUse }: CurrentPanelProps) => (
  <section className={`panel ${classes.current}`} aria-labelledby="current-processing">
    <Title order={2} id="current-processing">
      Current Processing <HelpTip topic="progress tracking" /> <AsOf reading={reading} />
    </Title>
    <Read of={reading} what="the current imports" meanwhile={<Placeholders />} retries="every two seconds">
      {(imports) =>
        imports.length > 0 ? (
          <CurrentImports imports={imports} />
        ) : (
          <Stack align="center" gap="sm" py="lg">
            <Text c="dimmed">No active processing jobs</Text>
            {isFirstUse && <FirstSteps />}
          </Stack>
        )
      }
    </Read>
  </section>
);

const Placeholders = () => (
  <div className="list above-xs" aria-hidden>
    {places.map((place) => (
      <div key={place} className={`stack ${classes.import} gap-6 middle line-above`}>
        <Skeleton height={18} width="60%" />
        <Skeleton height={6} />
        <Skeleton height={14} width="40%" />
      </div>
    ))}
  </div>
);

function CurrentImports({ imports }: { imports: readonly ShownCurrent[] }) {
  const isBeside = useMediaQuery('(min-width: 62em)', undefined, { getInitialValueInEffect: false });
  const ordered = orderByNeed(imports);
  const rows = ordered.slice(0, isBeside ? rowsMax.beside : rowsMax.above);
  const more = countWaiting(ordered.slice(rows.length));
  return (
    <>
      <ul className="list above-xs">
        {rows.map((record) => (
          <CurrentImport key={record.id} record={record} />
        ))}
      </ul>
      {more > 0 && (
        <BodyText>
          <Link
            to={queuePath}
            className={`${classes.more} size-sm`}
          >{`Show ${formatCount(more)} more in the queue`}</Link>
        </BodyText>
      )}
    </>
  );
}

function CurrentImport({ record }: { record: ShownCurrent }) {
  // The dashboard's calls name a failed import 'error'.
  const progressing = { ...record, status: record.status === 'error' ? 'failed' : record.status };
  const parts = compositionOf(progressing);
  return (
    <li className={`stack ${classes.import} gap-6 middle line-above`}>
      <div className={`row ${classes.importHead} gap-sm between`}>
        <FileLink record={record} />
        <StatusOrPercent record={record} />
      </div>
      <ImportBar record={progressing} parts={parts} />
      <div className={`row ${classes.importFacts} gap-sm between`}>
        <SmallText className="rigid numbers">{currentWords(record)}</SmallText>
        <ProgressCaption record={progressing} parts={parts} isCounted />
      </div>
    </li>
  );
}

/** The percentage while processing, otherwise the status, as specified. */
function StatusOrPercent({ record }: { record: ShownCurrent }) {
  if (record.status === 'processing') {
    return (
      <Text span fw={550} className="rigid numbers">
        {record.progress}%
      </Text>
    );
  }
  if (record.status === 'error') return <LookBadge look={statusLook('failed')} word="Error" />;
  return (
    <StatusBadge
      status={record.status}
      losses={lossesOf(record)}
      isUndoing={record.isUndoing}
      questions={record.isAsking ? 1 : 0}
    />
  );
}

function currentWords({ status, isUndoing, processedProducts, totalProducts }: ShownCurrent): string {
  if (isUndoing) return `Undoing changes of ${countOf(totalProducts, 'product')}`;
  if (status !== 'processing') return `${countOf(totalProducts, 'product')} ${status}`;
  return `Processing ${formatCount(processedProducts)} of ${countOf(totalProducts, 'product')}`;
}

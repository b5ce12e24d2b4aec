import type { PlannedProduct } from '@draftshelf/contract/push/plan';
import { Skeleton, Text } from '@mantine/core';
import type { Reply } from '../../../api/call.ts';
import { Read } from '../../../ui/feedback/read.tsx';
import { Picture } from '../../../ui/picture.tsx';
import { DifferingValue } from './differing-value.tsx';
import classes from './plan-list.module.css';
import { usePlannedProduct } from './planned-products-api.ts';

type PlanDifferencesProps = Pick<PlannedProduct, 'product' | 'outcome'> & { importId: string };

/** The values of a product in the store and after the push, side by side. */
export function PlanDifferences({ importId, product, outcome }: PlanDifferencesProps) {
  return (
    <Read
      of={usePlannedProduct(importId, product)}
      what="the differences"
      meanwhile={<Skeleton height={120} aria-hidden />}
    >
      {(planned) => <Differences planned={planned} outcome={outcome} />}
    </Read>
  );
}

type DifferencesProps = Pick<PlannedProduct, 'outcome'> & { planned: Reply<'getPlannedProduct'> };

function Differences({ planned: { differences, images, sent }, outcome }: DifferencesProps) {
  if (differences.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {outcome === 'unchanged'
          ? 'The store has what the push would send.'
          : 'There are no differences to show.'}
      </Text>
    );
  }
  const sides = { store: 'In the store', push: sent ? 'After the push' : 'In this import' };
  return (
    <>
      <div className={classes.sides} aria-hidden>
        <span>{sides.store}</span>
        <span>{sides.push}</span>
      </div>
      <ul className="list" aria-label="Differences">
        {differences.map((difference) => (
          <DifferingValue key={`${difference.part} ${difference.name}`} {...difference} sides={sides}>
            {difference.part === 'images' && ((side) => <Images images={images[side]} />)}
          </DifferingValue>
        ))}
      </ul>
    </>
  );
}

function Images({ images }: { images: { url: string | null; alt: string | null }[] }) {
  return (
    <span className="row-wrap">
      {images.map(({ url, alt }, at) => {
        // Two images may be the same.
        const key = `${at} ${url}`;
        return <Thumbnail key={key} url={url} alt={alt || `Image ${at + 1}`} />;
      })}
    </span>
  );
}

function Thumbnail({ url, alt }: { url: string | null; alt: string }) {
  const fallback = <span className={classes.noImage}>{alt}</span>;
  return (
    <span className={classes.image}>
      {url === null ? fallback : <Picture src={url} alt={alt} fallback={fallback} />}
    </span>
  );
}

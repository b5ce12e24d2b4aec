import type { ShownProduct } from '@draftshelf/contract/review/rows';
import { photoIdAt } from '@draftshelf/domain/base/photo-address';
import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { BodyText, SmallButton, SmallText } from '../../../ui/basics.tsx';
import { Picture } from '../../../ui/picture.tsx';
import { findPictureFailure, moveItem } from './picture-order.ts';
import classes from './product.module.css';

type PictureStripProps = {
  /** At least one address, in order. */
  srcs: readonly string[];
  hasMain: boolean;
  known: ShownProduct['pictures'];
  isLarge: boolean;
  isLocked: boolean;
  /** Called with the new order. `words` describes the change to screen readers. */
  onChange: (srcs: readonly string[], words: string) => void;
};

const stepOf: Readonly<Record<string, number>> = {
  ...{ ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 },
  ...{ Home: Number.NEGATIVE_INFINITY, End: Number.POSITIVE_INFINITY },
};

export function PictureStrip({ srcs, hasMain, known, isLarge, isLocked, onChange }: PictureStripProps) {
  const strip = useRef<HTMLDivElement>(null);
  const [chosen, choose] = useState(0);
  const count = srcs.length;
  const at = Math.min(chosen, count - 1);
  const nameOf = (src: string) => findPictureName(known, src);
  const [size, setSize] = useState({ src: '', words: '' });
  const [broken, setBroken] = useState<readonly string[]>([]);
  const failed = srcs.flatMap((src) => {
    const failure = findPictureFailure(src, known[src], broken.includes(src));
    return failure === null ? [] : [{ src, reason: failure.reason ?? 'The picture failed the check.' }];
  });
  const draw = (src: string, large?: string) =>
    failed.some((other) => other.src === src) ? (
      <span className="quiet">
        Image failed to load <span className={`${classes.name} ellipsis block`}>{nameOf(src)}</span>
      </span>
    ) : (
      <Picture
        src={src}
        alt={large}
        isChecked={known[src]?.state === 'ok'}
        isEager={large !== undefined}
        fallback={null}
        onFailed={() => setBroken((others) => [...others, src])}
      />
    );
  const placeWords = (place: number) => `Picture ${formatCount(place + 1)} of ${formatCount(count)}`;
  const focus = (place: number) => (strip.current?.children[place] as HTMLElement | undefined)?.focus();
  const move = (from: number, to: number) => {
    if (isLocked || from === to) return;
    onChange(moveItem(srcs, from, to), placeWords(to));
    choose(to);
  };
  const remove = () =>
    onChange(srcs.toSpliced(at, 1), `Picture removed. ${countOf(count - 1, 'picture')} left.`);
  const { drag, onPointerDown } = useItemDrag(strip, isLocked ? null : move);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOf[event.key];
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!isLocked && (event.key === 'Delete' || event.key === 'Backspace')) {
      // Moves the focus to a neighboring picture before the focused one is removed.
      focus(at === count - 1 ? at - 1 : at + 1);
      remove();
      choose(Math.min(at, count - 2));
    }
    if (step === undefined) return;
    event.preventDefault();
    const to = Math.min(Math.max(at + step, 0), count - 1);
    if (event.altKey) move(at, to);
    else focus(to);
  };
  const moves = [
    { label: 'Earlier', to: at - 1 },
    { label: 'Later', to: at + 1 },
    { label: hasMain ? 'Make Main' : 'Make First', to: 0 },
  ];
  const shown = drag === null ? srcs : moveItem(srcs, drag.from, drag.to);
  const chosenSrc = srcs[at] ?? '';
  return (
    <>
      {isLarge && (
        <div
          key={chosenSrc}
          className={`${classes.large} center-grid centered surface-quiet rounded relative`}
          onLoadCapture={({ target }) => {
            if (!(target instanceof HTMLImageElement)) return;
            const words = `${target.naturalWidth} × ${target.naturalHeight} pixels`;
            setSize({ src: chosenSrc, words });
          }}
        >
          {draw(chosenSrc, nameOf(chosenSrc))}
          {size.src === chosenSrc && (
            <span className={`numbers ${classes.corner} size-xs`}>{size.words}</span>
          )}
        </div>
      )}
      <div
        ref={strip}
        role="listbox"
        aria-label="Images"
        aria-orientation="horizontal"
        className={`row-wrap ${classes.strip} gap-xs`}
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
      >
        {srcs.map((src, place) => {
          const isMain = hasMain && shown[0] === src;
          return (
            <div
              key={src}
              role="option"
              aria-selected={place === at}
              tabIndex={place === at ? 0 : -1}
              className={`${classes.picture} center-grid framed relative surface-quiet centered`}
              title={photoIdAt(src) === null ? src : nameOf(src)}
              style={drag === null ? undefined : { order: shown.indexOf(src) }}
              data-dragged={drag?.from === place || undefined}
              onFocus={() => choose(place)}
            >
              <span className="visually-hidden">{placeWords(place)}</span>
              {draw(src)}
              {isMain && <span className={`${classes.corner} size-xs`}>Main</span>}
            </div>
          );
        })}
      </div>
      <div className="row-wrap">
        <BodyText className={`numbers ${classes.place}`}>
          {placeWords(at)}{' '}
          <span className="break-words">
            {isLarge && photoIdAt(chosenSrc) === null ? chosenSrc : nameOf(chosenSrc)}
          </span>
        </BodyText>
        {count > 1 &&
          moves.map(({ label, to }) => (
            <SmallButton
              key={label}
              disabled={isLocked || to === at || shown[to] === undefined}
              onClick={() => move(at, to)}
            >
              {label}
            </SmallButton>
          ))}
        <SmallButton disabled={isLocked} onClick={remove}>
          Remove
        </SmallButton>
      </div>
      {[...Map.groupBy(failed, ({ reason }) => reason)].map(([reason, of]) => (
        <BodyText key={reason} className="break-words">
          {of.map(({ src }) => nameOf(src)).join(', ')}: {reason}
        </BodyText>
      ))}
      {count > 1 && !isLocked && (
        <SmallText>
          Drag a picture to its place; on a touch screen, hold it first. Or press Alt with an arrow key.
          Delete removes it.
        </SmallText>
      )}
    </>
  );
}

/** Returns the filename of a picture: the stored name of an uploaded photo, or else the end of the address. */
export function findPictureName(known: PictureStripProps['known'], src: string): string {
  const inAddress = photoIdAt(src) === null ? (src.split(/[?#]/)[0] ?? '') : 'Photo';
  const path = known[src]?.name ?? inAddress;
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Minimum movement of a drag in pixels. A shorter movement is a press. */
const dragPxMin = 5;
/** A finger that moves before this time scrolls instead of dragging. */
const holdMs = 300;

/**
 * Drags items: with a mouse at once, with a finger after a hold. Until the drop, CSS `order` alone shows the new
 * order, because moving an item in the DOM would end the drag.
 */
function useItemDrag(
  list: RefObject<HTMLElement | null>,
  onDrop: ((from: number, to: number) => void) | null,
) {
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const isDragging = useRef(false);
  // Added before any touch, because browsers ignore a `touchmove` listener that is added during a touch.
  useEffect(() => {
    const keepFromScrolling = (event: TouchEvent) => isDragging.current && event.preventDefault();
    const element = list.current;
    element?.addEventListener('touchmove', keepFromScrolling, { passive: false });
    return () => element?.removeEventListener('touchmove', keepFromScrolling);
  }, [list]);
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const from = placeAt(event.currentTarget, event);
    if (onDrop === null || event.button !== 0 || !event.isPrimary || from === null) return;
    const { currentTarget, pointerId, clientX, clientY } = event;
    const ended = new AbortController();
    const show = (to: number) => {
      isDragging.current = true;
      setDrag({ from, to });
    };
    const isMouse = event.pointerType === 'mouse';
    const held = isMouse ? undefined : setTimeout(show, holdMs, from);
    let to = from;
    const onMove = (at: globalThis.PointerEvent) => {
      const isFar = Math.hypot(at.clientX - clientX, at.clientY - clientY) >= dragPxMin;
      if (!isDragging.current && isFar && !isMouse) ended.abort();
      if (!isDragging.current && (!isFar || !isMouse)) return;
      to = placeAt(currentTarget, at) ?? to;
      show(to);
      itemAt(currentTarget, at)?.scrollIntoView({ block: 'nearest' });
    };
    const onUp = () => {
      const isMoved = isDragging.current;
      ended.abort();
      if (isMoved) onDrop(from, to);
    };
    ended.signal.addEventListener('abort', () => {
      clearTimeout(held);
      isDragging.current = false;
      setDrag(null);
    });
    const options = { signal: ended.signal };
    currentTarget.setPointerCapture(pointerId);
    currentTarget.addEventListener('pointermove', onMove, options);
    currentTarget.addEventListener('pointerup', onUp, options);
    currentTarget.addEventListener('lostpointercapture', () => ended.abort(), options);
  };
  return { drag, onPointerDown };
}

type Point = { clientX: number; clientY: number };

function itemAt(list: HTMLElement, { clientX, clientY }: Point): HTMLElement | undefined {
  const hit = document.elementFromPoint(clientX, clientY);
  return [...list.children].find((item): item is HTMLElement => item.contains(hit));
}

function placeAt(list: HTMLElement, point: Point): number | null {
  const item = itemAt(list, point);
  if (item === undefined) return null;
  return item.style.order === '' ? [...list.children].indexOf(item) : Number(item.style.order);
}

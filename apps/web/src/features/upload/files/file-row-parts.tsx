import { fileSize } from '@draftshelf/domain/base/format';
import { UnstyledButton } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CutName } from '../../../ui/cut-name.tsx';
import { CompositionBar, someOf } from '../../import/index.ts';
import classes from '../upload.module.css';
import type { FileRow } from './chosen-files.ts';
import { type Classes, classWords } from './file-words.ts';

/** The id of the unfolded part of the screen. */
export const unfoldedId = 'unfolded-file';

type RowFrameProps = {
  row: FileRow;
  /** Null: there is no preview. */
  toggle: { isOpen: boolean; onToggle: () => void } | null;
  children: ReactNode;
  actions: ReactNode;
};

export function RowFrame({ row: { key, name, bytes }, toggle, children, actions }: RowFrameProps) {
  const words = <CutName name={name} />;
  return (
    <li
      className={`${classes.row} grid gap-x-md center rounded relative`}
      data-row={key}
      data-selected={toggle?.isOpen || undefined}
    >
      <div className={`row ${classes.file}`}>
        <IconFileSpreadsheet size={20} stroke={1.5} aria-hidden />
        <div className="stack gap-0">
          {toggle === null ? (
            // biome-ignore lint/a11y/useSemanticElements: the group is only the name of both parts of the text
            <span
              className={`strong ${classes.name} pre shrink fit at-most-full flex`}
              dir="auto"
              title={name}
              tabIndex={-1}
              role="group"
              aria-label={name}
              data-name
            >
              {words}
            </span>
          ) : (
            <UnstyledButton
              className={`strong ${classes.name} pre shrink fit at-most-full flex stretched`}
              dir="auto"
              title={name}
              aria-label={name}
              aria-expanded={toggle.isOpen}
              aria-controls={toggle.isOpen ? unfoldedId : undefined}
              onClick={toggle.onToggle}
              data-name
            >
              {words}
            </UnstyledButton>
          )}
          <span className={`ellipsis numbers ${classes.small} small at-most-full`}>{fileSize(bytes)}</span>
        </div>
      </div>
      {children}
      <div className={`row ${classes.actions} gap-tight end`}>{actions}</div>
    </li>
  );
}

export const Products = ({ bar, children }: { bar: ReactNode; children: ReactNode }) => (
  <div className={`stack ${classes.products} gap-tight`}>
    <div className={classes.bar}>{bar}</div>
    <span className={`ellipsis numbers ${classes.words}`}>{children}</span>
  </div>
);

export function ClassProducts({ of }: { of: Omit<Classes, 'parents'> }) {
  const { products, valid, warnings, errors } = of;
  return (
    <Products
      bar={
        <CompositionBar
          total={products}
          parts={someOf([
            { kind: 'valid', count: valid },
            { kind: 'warning', count: warnings },
            { kind: 'error', count: errors },
          ])}
        />
      }
    >
      {classWords(of)}
    </Products>
  );
}

/** One line, or two. */
export const State = ({ children }: { children?: ReactNode }) => (
  <div className={`stack gap-0 ${classes.state} top`}>{children}</div>
);

export const RowFailure = ({ children }: { children: ReactNode }) => (
  <div className={`marked break-words bad ${classes.failure}`}>{children}</div>
);

import { Title } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { createContext, type ReactNode, use, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { Link } from 'react-router';
import { Button, EllipsisName, QuietText } from './basics.tsx';
import classes from './page-header.module.css';

type PageHeaderProps = {
  title: string;
  /** Whether the title is a file's name, which is cut before its end. */
  isFile?: boolean;
  /** A sentence below the bar, or elements next to the title, for example a badge. */
  subtitle?: ReactNode;
  /** A link to the parent screen, shown before the title. */
  above?: ReactNode;
  /** Actions; on phones they are fixed at the bottom. */
  children?: ReactNode;
};

/** The header of a screen. Parts for which the top bar has no room are shown at the top of the screen. */
export function PageHeader({ title, isFile = false, subtitle, above, children }: PageHeaderProps) {
  const { bar, roomy } = use(TopBarContext);
  const isSentence = typeof subtitle === 'string';
  const sentence = isSentence && <QuietText>{subtitle}</QuietText>;
  return (
    <>
      {bar !== null &&
        createPortal(
          <>
            <div className={`${classes.heading} row gap-sm`}>
              {roomy && above}
              <BarTitle title={title} isFile={isFile} />
              {roomy && !isSentence && <div>{subtitle}</div>}
            </div>
            {children !== undefined && (
              <div className={`${classes.actions} row-wrap gap-xs end pad-y-6 to-the-end`} data-actions>
                {children}
              </div>
            )}
          </>,
          bar,
        )}
      {roomy || (above === undefined && (isSentence || subtitle === undefined)) ? (
        sentence
      ) : (
        <div className={`${classes.below} row-wrap`}>
          {above}
          {subtitle}
        </div>
      )}
    </>
  );
}

export const UploadLink = ({ mt }: { mt?: 'sm' }) => (
  <Button component={Link} to="/upload" mt={mt} icon={IconUpload}>
    Upload CSV
  </Button>
);

/** Ways to break a file's name on phones. The first that fits is used; 'middle' cuts the name, so it always fits. */
const waysToBreak = ['words', 'letters', 'middle'];

function BarTitle({ title, isFile }: { title: string; isFile: boolean }) {
  const { onTitle } = use(TopBarContext);
  const ref = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another name may need another way
  useLayoutEffect(() => {
    const element = ref.current;
    if (element?.parentElement == null) return;
    onTitle(element);
    if (!isFile) return;
    const observer = new ResizeObserver(() => {
      waysToBreak.some((way) => {
        element.dataset.breaks = way;
        return element.scrollHeight <= element.clientHeight;
      });
    });
    observer.observe(element.parentElement);
    return () => observer.disconnect();
  }, [isFile, title, onTitle]);
  return (
    <Title
      ref={ref}
      order={1}
      className={isFile ? `${classes.title} flex` : classes.title}
      title={title}
      tabIndex={-1}
      dir="auto"
      {...(isFile && { 'aria-label': title, 'data-file': true })}
    >
      {isFile ? <EllipsisName name={title} /> : title}
    </Title>
  );
}

export type TopBar = {
  /** Element for the screen's title and actions; null until the bar is drawn. */
  bar: HTMLElement | null;
  /** Whether the bar has room for more than a title and actions. */
  roomy: boolean;
  /** Called with a title that has just been drawn. */
  onTitle: (title: HTMLElement) => void;
};

export const TopBarContext = createContext<TopBar>({ bar: null, roomy: true, onTitle: () => {} });

export const ServerLostContext = createContext(false);

/** Returns the reason why calls cannot be made; null while the server answers. */
export const useNoConnectionReason = (): string | null =>
  use(ServerLostContext) ? 'No connection to the server.' : null;

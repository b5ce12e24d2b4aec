import { IssueBars, type IssueBarsProps } from './issue-bars.tsx';
import classes from './rows.module.css';

/** The issues left of the rows, where there is room. */
export function IssuesBeside(props: IssueBarsProps) {
  return (
    <aside className={classes.issueAside} aria-label="Issues">
      <IssueBars {...props} />
    </aside>
  );
}

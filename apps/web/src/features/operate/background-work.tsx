import { AuditSection } from './audit-section.tsx';
import { DeadWorkSection } from './dead-work/dead-work-section.tsx';
import { TasksSection } from './tasks-section.tsx';

/** What runs in the background, what of it has failed, and whether its counts agree. The sections load as one chunk. */
export function BackgroundWork() {
  return (
    <>
      <TasksSection />
      <DeadWorkSection />
      <AuditSection />
    </>
  );
}

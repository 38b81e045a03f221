import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Link2 } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import type { PlaceLinkProps } from '../../reference/view/places-context.tsx';
import { buttonClass, iconButtonClass } from '../../../shared/ui/controls/button.tsx';
import { Section } from '../../../shared/ui/page/page.tsx';
import { fileAddress } from '../../api/transport/root.ts';
import styles from './part.module.css';

/** A part of the page to which a URL can refer: `?at=answers`, or `?at=answer-404` for one response. */
export function Part({ at, children }: { readonly at: string; readonly children: ReactNode }) {
  return (
    <div id={createElementId(at)} tabIndex={-1} className={styles.part}>
      {children}
    </div>
  );
}

/** A part of the page with a heading. */
export function TitledPart({ at, title, children }: Parameters<typeof Part>[0] & { readonly title: string }) {
  return (
    <Part at={at}>
      <Section title={title} aside={<PartLink at={at} label={`Link to ${title}`} />}>
        {children}
      </Section>
    </Part>
  );
}

/** A link to a part, which puts the part into the URL so that the user can share it. */
export function PartLink({ at, label }: { readonly at: string; readonly label: string }) {
  return (
    <AddressOf at={at} label={label} className={iconButtonClass(styles.link)}>
      <Link2 size={14} aria-hidden />
    </AddressOf>
  );
}

/** A link to the form that sends the call. */
export function TryLink() {
  return (
    <AddressOf at="try" className={buttonClass('quiet', styles.try)}>
      Try it
    </AddressOf>
  );
}

/** Links to the parts of a page. They help on narrow screens, where the parts are below each other. */
export function PartLinks({
  parts,
}: {
  readonly parts: readonly (readonly [at: string, title: string, ...unknown[]])[];
}) {
  return (
    <nav aria-label="On this page" className={styles.links}>
      {parts.map(([at, title]) => (
        <AddressOf key={at} at={at}>
          {title}
        </AddressOf>
      ))}
    </nav>
  );
}

function AddressOf({ at, label, className, children }: PlaceLinkProps) {
  return (
    <Link
      from="/reference/$id"
      to="."
      search={({ field: _, ...all }) => ({ ...all, at })}
      replace
      resetScroll={false}
      className={className}
      aria-label={label}
      title={label}
      // If the URL already names the part, the link changes nothing, so scroll back to the part here.
      onClick={() => show(at)}
    >
      {children}
    </Link>
  );
}

/**
 * The time after which a page is laid out. Until then, fields above a part may change their height when they come near
 * the viewport, and texts when their parser is loaded.
 */
const SETTLED_AFTER_MS = 2000;

/** Scrolls to the part that the URL names. Keeps it in place until the page is laid out or the user scrolls. */
export function useShownPart(at: string | undefined): void {
  useEffect(() => {
    if (at === undefined) return undefined;
    const leave = new AbortController();
    const { signal } = leave;
    for (const event of ['wheel', 'touchmove', 'pointerdown', 'keydown']) {
      addEventListener(event, () => leave.abort(), { signal, passive: true });
    }
    const until = performance.now() + SETTLED_AFTER_MS;
    let focused: HTMLElement | null = null;
    const keep = () => {
      if (signal.aborted || performance.now() > until) return leave.abort();
      const part = document.getElementById(createElementId(at));
      part?.scrollIntoView();
      // The part may be rendered later than the page, so move the focus when it appears.
      if (part !== focused) part?.focus({ preventScroll: true });
      focused = part;
      return requestAnimationFrame(keep);
    };
    // Start in the next frame, because the router scrolls a new page to the top.
    requestAnimationFrame(keep);
    return () => leave.abort();
  }, [at]);
}

/** Scrolls to a part and moves the focus to it. */
export function show(at: string): void {
  const part = document.getElementById(createElementId(at));
  part?.scrollIntoView();
  part?.focus({ preventScroll: true });
}

/** A link to a field. It is a plain element instead of the router's link, because a page may have hundreds. */
export function FieldAddress({ at, label, className, children }: PlaceLinkProps) {
  const { id } = useParams({ from: '/reference/$id' });
  const navigate = useNavigate({ from: '/reference/$id' });
  return (
    <a
      href={fileAddress(`reference/${encodeURIComponent(id)}?at=${encodeURIComponent(at)}`)}
      className={className}
      aria-label={label}
      title={label}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        void navigate({ search: ({ field: _, ...all }) => ({ ...all, at }), replace: true, resetScroll: false });
        show(at);
      }}
    >
      {children}
    </a>
  );
}

export function createElementId(at: string): string {
  return `part-${at}`;
}

import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/**
 * The open dialog of a screen. The URL contains its name (`do=create`), so that other screens and the search can open
 * it.
 */
export function useDialogInUrl() {
  const { do: opened } = useSearch({ strict: false });
  const navigate = useNavigate();
  const open = useCallback(
    (what: string | undefined) =>
      void navigate({ to: '.', search: (all) => ({ ...all, do: what }), replace: true, resetScroll: false }),
    [navigate],
  );
  const close = useCallback(() => open(undefined), [open]);
  return { opened, open, close };
}

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export function GuideLink({ page, children }: { readonly page: string; readonly children: ReactNode }) {
  return (
    <Link to="/docs/$page" params={{ page }}>
      {children}
    </Link>
  );
}

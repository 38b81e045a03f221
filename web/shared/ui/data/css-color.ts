/** What a color of the style sheets, such as `var(--line)`, is now, as a canvas takes it. */
export function cssColor(expression: string): string {
  const probe = document.createElement('span');
  probe.style.color = expression;
  document.body.append(probe);
  const color = getComputedStyle(probe).color;
  probe.remove();
  return color;
}

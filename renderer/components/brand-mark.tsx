/** The icon of Toolkeep. Drawn inline, so that it needs no request. Must match `public/icon.svg`. */
export function BrandMark({ size }: { size: number }) {
  return (
    <svg aria-hidden="true" focusable="false" viewBox="0 0 32 32" width={size} height={size}>
      <rect width="32" height="32" rx="7" fill="#0e6b5e" />
      <path d="M7 25V12.5l3-2V8h3v1.8L16 8l3 1.800V8h3v2.500l3 2V25h-6v-5.500a3 3 0 0 0-6 0V25z" fill="#fff" />
    </svg>
  );
}

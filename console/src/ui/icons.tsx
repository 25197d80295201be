/** Icons in the color of the surrounding text. They are decorative: the text says the same. */
import type { ReactNode } from 'react'

function Icon({ children, size = 18 }: { children: ReactNode; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  )
}

export const ChartIcon = () => (
  <Icon>
    <path d="M4 20V11M10 20V5M16 20v-7M21 20H3" />
  </Icon>
)

export const QuoteIcon = () => (
  <Icon>
    <path d="M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h4" />
  </Icon>
)

export const CalendarIcon = () => (
  <Icon>
    <path d="M4 6h16v15H4zM4 10h16M8 3v4M16 3v4" />
  </Icon>
)

export const KeyIcon = () => (
  <Icon>
    <circle cx="8" cy="15" r="4" />
    <path d="M11 12 20 3M16 7l3 3" />
  </Icon>
)

export const ChevronIcon = () => (
  <Icon size={14}>
    <path d="m6 9 6 6 6-6" />
  </Icon>
)

export const CopyIcon = () => (
  <Icon size={16}>
    <path d="M9 9h11v12H9zM5 15V3h11" />
  </Icon>
)

export const CheckIcon = () => (
  <Icon size={16}>
    <path d="m5 13 4 4L19 7" />
  </Icon>
)

export const PlusIcon = () => (
  <Icon size={16}>
    <path d="M12 5v14M5 12h14" />
  </Icon>
)

export const TrashIcon = () => (
  <Icon size={16}>
    <path d="M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14" />
  </Icon>
)

export const SearchIcon = () => (
  <Icon size={16}>
    <circle cx="11" cy="11" r="6" />
    <path d="m20 20-4.5-4.5" />
  </Icon>
)

export const LeftIcon = () => (
  <Icon size={16}>
    <path d="m15 5-7 7 7 7" />
  </Icon>
)

export const RightIcon = () => (
  <Icon size={16}>
    <path d="m9 5 7 7-7 7" />
  </Icon>
)

/** Opens in a new tab. */
export const NewTabIcon = () => (
  <Icon size={14}>
    <path d="M14 4h6v6M20 4l-9 9M18 14v6H4V6h6" />
  </Icon>
)

export const PencilIcon = () => (
  <Icon size={16}>
    <path d="m4 20 1-5L16 4l4 4L9 19zM14 6l4 4" />
  </Icon>
)

/** The mark of the product. */
export const MarkIcon = () => (
  <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <rect width="32" height="32" rx="7" fill="#0b6e69" />
    <path d="M9 8h14v16l-3.5-2-3.5 2-3.5-2L9 24z" fill="#fff" />
    <path d="M12 13h8M12 17h5" stroke="#0b6e69" strokeWidth="2" />
  </svg>
)

import { Popover as PopoverPrimitive } from 'radix-ui'
import { useMemo } from 'react'
import { cn } from '@/lib/cn'
import type { LayerProps } from './layer'

/** Radix's popover below a button that is not Radix's. */
export function PopoverLayer({ anchor, onClose, children, className, align = 'end', label }: LayerProps) {
  const place = useMemo(() => ({ current: anchor }), [anchor])
  return (
    <PopoverPrimitive.Root open onOpenChange={(open) => !open && onClose()}>
      <PopoverPrimitive.Anchor virtualRef={place} />
      <PopoverPrimitive.Portal>
        <PopoverPrimitive.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          aria-label={label}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            anchor.focus()
          }}
          // A press on the button is the button's: it closes.
          onInteractOutside={(event) => anchor.contains(event.target as Node) && event.preventDefault()}
          className={cn(
            'z-50 max-h-[min(var(--radix-popover-content-available-height),640px)] w-80 max-w-[calc(100vw-16px)] overflow-y-auto rounded-lg bg-panel p-3 text-ui text-text shadow-float outline-none duration-100 data-[state=open]:animate-in data-[state=open]:fade-in-0',
            className,
          )}
        >
          {children}
        </PopoverPrimitive.Content>
      </PopoverPrimitive.Portal>
    </PopoverPrimitive.Root>
  )
}

export const Close = PopoverPrimitive.Close

"""Write certificate authorities into an NSS database: `python nss_store.py STORE BUNDLE` (needs libnss3)."""

from __future__ import annotations

import ctypes
import ctypes.util
import ssl
import sys
from pathlib import Path

from boathook.input_files import read_input_file

NO_CERTIFICATES = 3
_NO_LIBRARY = 4
_REFUSED = 5
_BEGIN, _END = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"
_TRUST_AS_AUTHORITY = b"C,,"


class _Item(ctypes.Structure):
    """NSS' SECItem: a kind, bytes, their number."""

    _fields_ = (("kind", ctypes.c_int), ("data", ctypes.c_char_p), ("length", ctypes.c_uint))


def certificates_in(text: str) -> list[bytes]:
    """The certificates of PEM text, as DER; unreadable ones make the whole list empty."""
    found = []
    for part in text.split(_BEGIN)[1:]:
        body, end, _ = part.partition(_END)
        try:
            found.append(ssl.PEM_cert_to_DER_cert(f"{_BEGIN}{body}{_END}") if end else b"")
        except ValueError:
            return []
    return found if all(found) else []


def write_store(store: Path, certificates: list[bytes]) -> None:
    """Create the database and import each certificate as an authority for web servers."""
    nss = _load_nss()
    if nss.NSS_InitReadWrite(f"sql:{store}".encode()) != 0:
        raise OSError(f"NSS cannot open {store} (error {nss.PORT_GetError()})")
    try:
        slot = nss.PK11_GetInternalKeySlot()
        if nss.PK11_NeedUserInit(slot):
            nss.PK11_InitPin(slot, None, b"")
        for number, der in enumerate(certificates):
            _import(nss, slot, der, f"boathook {number}".encode())
        nss.PK11_FreeSlot(slot)
    finally:
        nss.NSS_Shutdown()


def _import(nss: ctypes.CDLL, slot: int, der: bytes, name: bytes) -> None:
    item = _Item(0, der, len(der))
    certificate = nss.CERT_NewTempCertificate(nss.CERT_GetDefaultCertDB(), ctypes.byref(item), None, 0, 1)
    if not certificate:
        raise OSError(f"not a certificate (error {nss.PORT_GetError()})")
    trust = ctypes.create_string_buffer(12)  # three unsigned ints: web, mail, code
    nss.CERT_DecodeTrustString(trust, _TRUST_AS_AUTHORITY)
    imported = nss.PK11_ImportCert(slot, certificate, 0, name, 0)
    if imported != 0 or nss.CERT_ChangeCertTrust(nss.CERT_GetDefaultCertDB(), certificate, trust) != 0:
        raise OSError(f"NSS refuses the certificate (error {nss.PORT_GetError()})")
    nss.CERT_DestroyCertificate(certificate)


def _load_nss() -> ctypes.CDLL:
    nss = ctypes.CDLL("libnss3.so")
    for name in ("PK11_GetInternalKeySlot", "CERT_NewTempCertificate", "CERT_GetDefaultCertDB"):
        getattr(nss, name).restype = ctypes.c_void_p
    pointer = ctypes.c_void_p
    nss.PK11_NeedUserInit.argtypes = [pointer]
    nss.PK11_InitPin.argtypes = [pointer, ctypes.c_char_p, ctypes.c_char_p]
    nss.PK11_FreeSlot.argtypes = [pointer]
    nss.PK11_ImportCert.argtypes = [pointer, pointer, ctypes.c_ulong, ctypes.c_char_p, ctypes.c_int]
    nss.CERT_NewTempCertificate.argtypes = [pointer, pointer, ctypes.c_char_p, ctypes.c_int, ctypes.c_int]
    nss.CERT_ChangeCertTrust.argtypes = [pointer, pointer, pointer]
    nss.CERT_DestroyCertificate.argtypes = [pointer]
    return nss


def main(arguments: list[str]) -> int:
    """Import a bundle into a store; the exit code tells what was wrong."""
    store, bundle = arguments
    certificates = certificates_in(read_input_file(bundle).decode("ascii", "replace"))
    if not certificates:
        return NO_CERTIFICATES
    try:
        write_store(Path(store), certificates)
    except OSError as error:
        sys.stderr.write(f"{error}\n")
        return _NO_LIBRARY if "libnss3" in str(error) else _REFUSED
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

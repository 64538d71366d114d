#include "base/hash.h"

#include <gtest/gtest.h>

namespace hone {
namespace {

TEST(Sha256, PublishedVectors) {
  EXPECT_EQ(sha256("").hex(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc").hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  Sha256 million;
  for (int i = 0; i < 1000; ++i) million.add(std::string(1000, 'a'));
  EXPECT_EQ(million.finish().hex(), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(HmacSha256, Rfc4231Vectors) {
  EXPECT_EQ(hmac_sha256(bytes_of("Jefe"), bytes_of("what do ya want for nothing?")).hex(),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  const std::string long_key(131, '\xaa');
  EXPECT_EQ(hmac_sha256(bytes_of(long_key), bytes_of("Test Using Larger Than Block-Size Key - Hash Key First")).hex(),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(Digest, HexRoundTripAndRefusals) {
  const Digest digest = sha256("x");
  EXPECT_EQ(Digest::from_hex(digest.hex()), digest);
  EXPECT_FALSE(Digest::from_hex("abc"));
  EXPECT_FALSE(Digest::from_hex(std::string(64, 'G')));
  EXPECT_FALSE(Digest::from_hex(std::string(64, 'A')));
}

TEST(Sha256, FieldsDoNotRunTogether) {
  EXPECT_NE(Sha256().add_field("ab").add_field("c").finish(), Sha256().add_field("a").add_field("bc").finish());
}

}  // namespace
}  // namespace hone
